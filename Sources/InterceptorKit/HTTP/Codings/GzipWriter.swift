#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A writer of the gzip format (RFC 1952) that takes input in pieces, in memory that does not grow with the input.
///
/// The same input always gives the same output: the header has neither a time nor a system.
@safe
final class GzipWriter: @unchecked Sendable {
    // Invariant behind `@unchecked Sendable`: one task at a time calls `write`, the reader of the compressed body, and
    // nothing else touches the members after `init`.
    private let zlib: SystemZlib
    // zlib keeps this address in its state.
    // Safety: it is allocated and initialized in `init`, does not move, and is freed after `deflateEnd`. Each piece of
    // input is at most 1 GiB, so its count fits zlib's 32 bits.
    private let stream: UnsafeMutablePointer<ZlibStream>
    private var checksum: CUnsignedLong = 0
    private var count: UInt32 = 0
    private var hasBegun = false

    private static let outputSize = 64 << 10
    // No flags, no time, no system: ID1, ID2, CM, FLG, MTIME, XFL, OS.
    private static let header = Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF])

    /// `nil` if zlib refuses, for lack of memory or because it is incompatible.
    init?(_ zlib: SystemZlib, level: CInt) {
        self.zlib = zlib
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: ZlibStream())
        // Deflate (8) without a frame of its own (negative), a window of 32 KiB (15), and zlib's default memory (8).
        let code = unsafe zlib.initialize(
            stream,
            level,
            8,
            -15,
            8,
            0,
            UnsafePointer(bitPattern: zlib.version),
            CInt(MemoryLayout<ZlibStream>.size)
        )
        guard code == 0 else { return nil }
        isOpen = true
    }

    private var isOpen = false

    deinit {
        if isOpen { _ = unsafe zlib.end(stream) }
        unsafe stream.deallocate()
    }

    /// Returns the output for more bytes, which may be empty so far.
    /// - Parameter isLast: Whether these bytes are the last, after which nothing may be written.
    @concurrent
    func write(_ bytes: Data, isLast: Bool) async throws -> Data {
        var output = hasBegun ? Data() : Self.header
        hasBegun = true
        // zlib counts in 32 bits.
        for start in stride(from: 0, to: max(bytes.count, 1), by: 1 << 30) {
            let piece = bytes.dropFirst(start).prefix(1 << 30)
            try write(piece, isLast: isLast && start + piece.count == bytes.count, to: &output)
        }
        if isLast {
            for shift in stride(from: 0, to: 32, by: 8) {
                output.append(UInt8(truncatingIfNeeded: checksum >> shift))
            }
            for shift in stride(from: 0, to: 32, by: 8) {
                output.append(UInt8(truncatingIfNeeded: count >> shift))
            }
        }
        return output
    }

    private func write(_ piece: Data, isLast: Bool, to output: inout Data) throws {
        var buffer = Data(count: Self.outputSize)
        count &+= UInt32(truncatingIfNeeded: piece.count)
        try unsafe piece.withUnsafeBytes { input in
            unsafe checksum = zlib.checksum(checksum, input.baseAddress, CUnsignedInt(input.count))
            // The pointers are read only by the calls below, while both buffers are lent.
            unsafe stream.pointee.nextIn = input.baseAddress
            unsafe stream.pointee.availableIn = CUnsignedInt(input.count)
            var isOver = false
            while !isOver {
                let code = unsafe buffer.withUnsafeMutableBytes { room in
                    unsafe stream.pointee.nextOut = room.baseAddress
                    unsafe stream.pointee.availableOut = CUnsignedInt(room.count)
                    // Z_FINISH or Z_NO_FLUSH.
                    return unsafe zlib.deflate(stream, isLast ? 4 : 0)
                }
                let left = unsafe Int(stream.pointee.availableOut)
                output += buffer.prefix(Self.outputSize - left)
                switch code {
                // Z_STREAM_END.
                case 1: isOver = true
                // Z_OK, and Z_BUF_ERROR where there was nothing to do.
                case 0, -5: isOver = !isLast && left > 0
                default:
                    throw HTTP.ContentError(
                        .cannotEncode,
                        "zlib refuses to compress the body (code \(code))."
                    )
                }
            }
        }
    }
}

/// A body's bytes in the gzip format, compressed as they are read.
struct GzipChunks: AsyncSequence, Sendable {
    let body: HTTP.Body
    let zlib: SystemZlib
    let level: CInt

    func makeAsyncIterator() -> Iterator {
        Iterator(source: body.makeAsyncIterator(), writer: GzipWriter(zlib, level: level))
    }

    struct Iterator: AsyncIteratorProtocol {
        var source: HTTP.Body.AsyncIterator
        // `nil` if zlib refused, and once everything is written.
        var writer: GzipWriter?
        private var hasBegun = false

        init(source: HTTP.Body.AsyncIterator, writer: GzipWriter?) {
            self.source = source
            self.writer = writer
        }

        mutating func next() async throws -> Data? {
            guard let writer else {
                if hasBegun { return nil }
                throw HTTP.ContentError(
                    .cannotEncode,
                    "zlib could not allocate memory to compress a body."
                )
            }
            hasBegun = true
            while let chunk = try await source.next() {
                let output = try await writer.write(chunk, isLast: false)
                if !output.isEmpty { return output }
            }
            self.writer = nil
            return try await writer.write(Data(), isLast: true)
        }
    }
}
