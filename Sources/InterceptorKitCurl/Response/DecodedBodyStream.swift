import InterceptorKit
import InterceptorKitEngine

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A response's body, decoded as it is read.
///
/// libcurl cannot do this, because it does not report a compressed body that was cut off, fails a body in an unknown
/// coding, and unpacks more than its reader takes. Here the reader's task decodes, a bounded piece at a time, so a
/// small body that unpacks to a huge one costs no more than what is read.
final class DecodedBodyStream: HTTP.BodyStream, @unchecked Sendable {
    // Invariant behind `@unchecked Sendable`: a body lets one reader at a time call `next`, which alone touches the
    // mutable state.
    private let encoded: any HTTP.BodyStream
    private let host: String
    private let decoder: ContentDecoder
    private var input = Data()
    private var used = 0
    private var hasInput = false
    private var hasMore = false
    private var isComplete = false

    private static let pieceSize = 64 << 10

    init(_ encoded: any HTTP.BodyStream, _ decoder: ContentDecoder, host: String) {
        self.encoded = encoded
        self.decoder = decoder
        self.host = host
    }

    var trailers: HTTP.Headers? { encoded.trailers }

    func cancel() { encoded.cancel() }

    @concurrent
    func next() async throws -> Data? {
        while true {
            // An empty piece does not mean the end of the input: part of the body may decode to nothing.
            while used < input.count || hasMore {
                let piece = try decode()
                if !piece.isEmpty { return piece }
            }
            guard let chunk = try await encoded.next() else {
                guard isComplete || !hasInput else { throw failure("ended before its coding did") }
                return nil
            }
            input = chunk
            used = 0
            hasInput = true
        }
    }

    /// Decodes the next piece, which may be empty.
    private func decode() throws -> Data {
        let before = used
        var step = ContentDecoder.Step.wantsInput
        let piece = unsafe Data(capacity: Self.pieceSize) { buffer in
            unsafe input.withUnsafeBytes { bytes in
                // Safety: `used` counts the bytes that the decoder took of this input, so it is at most its count; the
                // piece is written within `buffer`.
                let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[used...])
                let result = unsafe decoder.step(rest, into: buffer)
                step = result.step
                used += result.used
                return result.made
            }
        }
        hasMore = step == .wantsOutput
        isComplete = step == .ended
        let isLeft = used < input.count && step != .wantsOutput
        let stands = step == .wantsOutput && piece.isEmpty && used == before
        if step == .failed || isLeft || stands {
            cancel()
            throw failure("is not in its stated content coding")
        }
        return piece
    }

    private func failure(_ what: String) -> TransportError {
        TransportError(.protocolViolation, "The body from \(host) \(what).")
    }
}

extension Data {
    /// Creates data of as many bytes as `fill` reports.
    fileprivate init(capacity: Int, _ fill: (UnsafeMutableRawBufferPointer) -> Int) {
        // Safety: the bytes copied are those that `fill` has written, and the buffer is freed afterwards.
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: capacity, alignment: 1)
        defer { unsafe buffer.deallocate() }
        let count = unsafe fill(buffer)
        unsafe self.init(buffer.prefix(count))
    }
}
