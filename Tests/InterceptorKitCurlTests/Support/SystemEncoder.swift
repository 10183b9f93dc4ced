import Foundation

/// What the system's own libraries make of bytes, part by part: members of gzip's, frames of zstd's.
struct SystemEncoder {
    private typealias Compress =
        @convention(c) (
            UnsafeMutablePointer<UInt8>, UnsafeMutablePointer<UInt>, UnsafePointer<UInt8>, UInt,
            CInt
        ) -> CInt
    private typealias Checksum = @convention(c) (UInt, UnsafePointer<UInt8>?, CUnsignedInt) -> UInt
    private typealias Zstd =
        @convention(c) (UnsafeMutablePointer<UInt8>, Int, UnsafePointer<UInt8>, Int, CInt) -> Int
    private typealias Brotli =
        @convention(c) (
            CInt, CInt, CInt, Int, UnsafePointer<UInt8>, UnsafeMutablePointer<Int>,
            UnsafeMutablePointer<UInt8>
        ) -> CInt

    let coding: String
    private let library: UInt

    /// `nil` where there is no such library.
    init?(_ coding: String) {
        let names = [
            "gzip": "libz.so.1", "deflate": "libz.so.1", "raw": "libz.so.1",
            "zstd": "libzstd.so.1", "br": "libbrotlienc.so.1",
        ]
        guard let name = names[coding], let opened = unsafe dlopen(name, RTLD_NOW) else {
            return nil
        }
        self.coding = coding
        library = UInt(bitPattern: opened)
    }

    /// Whether parts may follow each other, and how one is spelled that says nothing.
    var isInParts: Bool { coding == "gzip" || coding == "zstd" }

    func part(_ bytes: [UInt8], level: Int) -> [UInt8] {
        switch coding {
        case "gzip": gzip(bytes, level)
        case "zstd": zstd(bytes, level)
        case "br": brotli(bytes, level)
        case "raw": Array(zlib(bytes, level).dropFirst(2).dropLast(4))
        default: zlib(bytes, level)
        }
    }

    /// Skipped by every reader (RFC 8878 section 3.1.2); for gzip a member without content, with every field
    /// that a header may have (RFC 1952 section 2.3).
    func silentPart(_ filler: [UInt8]) -> [UInt8] {
        if coding == "zstd" {
            return [0x5A, 0x2A, 0x4D, 0x18, UInt8(filler.count), 0, 0, 0] + filler
        }
        let extra = [UInt8(filler.count), 0] + filler
        let header = [0x1F, 0x8B, 8, 0x1C, 0, 0, 0, 0, 0, 3] + extra + [0x6E, 0, 0x63, 0]
        return header + [3, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    }

    private func gzip(_ bytes: [UInt8], _ level: Int) -> [UInt8] {
        let raw = zlib(bytes, level).dropFirst(2).dropLast(4)
        let sum = unsafe function("crc32", Checksum.self)(0, bytes, CUnsignedInt(bytes.count))
        let trailer = [UInt32(sum), UInt32(bytes.count)].flatMap { number in
            (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        }
        return [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] + raw + trailer
    }

    private func zlib(_ bytes: [UInt8], _ level: Int) -> [UInt8] {
        unsafe made(bytes) { output, room in
            var count = UInt(room)
            let compress = unsafe function("compress2", Compress.self)
            _ = unsafe compress(output, &count, bytes, UInt(bytes.count), CInt(level))
            return Int(count)
        }
    }

    private func zstd(_ bytes: [UInt8], _ level: Int) -> [UInt8] {
        unsafe made(bytes) { output, room in
            let compress = unsafe function("ZSTD_compress", Zstd.self)
            return unsafe compress(output, room, bytes, bytes.count, CInt(level))
        }
    }

    private func brotli(_ bytes: [UInt8], _ level: Int) -> [UInt8] {
        unsafe made(bytes) { output, room in
            var count = room
            let compress = unsafe function("BrotliEncoderCompress", Brotli.self)
            _ = unsafe compress(CInt(level), 22, 0, bytes.count, bytes, &count, output)
            return count
        }
    }

    // More than any of them makes of bytes that cannot be compressed.
    private func made(
        _ bytes: [UInt8],
        _ fill: (UnsafeMutablePointer<UInt8>, Int) -> Int
    ) -> [UInt8] {
        var output = [UInt8](repeating: 0, count: bytes.count + bytes.count / 8 + 1024)
        let count = unsafe output.withUnsafeMutableBufferPointer { buffer in
            unsafe buffer.baseAddress.map { unsafe fill($0, buffer.count) } ?? 0
        }
        return Array(output.prefix(count))
    }

    // Safety: these functions have had these signatures in every version of their libraries, which are never
    // closed.
    private func function<Function>(_ name: String, _ type: Function.Type) -> Function {
        let found = unsafe dlsym(UnsafeMutableRawPointer(bitPattern: library), name)
        return unsafe unsafeBitCast(found, to: type)
    }
}
