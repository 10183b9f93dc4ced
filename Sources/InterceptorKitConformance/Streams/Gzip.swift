#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The gzip format (RFC 1952) without compression.
enum Gzip {
    /// - Parameter content: At most 65,535 bytes.
    static func stored(_ content: Data) -> Data {
        let count = UInt16(truncatingIfNeeded: content.count)
        var bytes = Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 1])
        append(count, to: &bytes)
        append(~count, to: &bytes)
        bytes += content
        append(checksum(content), to: &bytes)
        append(UInt32(content.count), to: &bytes)
        return bytes
    }

    private static func append(_ number: some FixedWidthInteger, to bytes: inout Data) {
        for shift in stride(from: 0, to: number.bitWidth, by: 8) {
            bytes.append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }

    // CRC-32 (RFC 1952 section 8).
    private static func checksum(_ content: Data) -> UInt32 {
        var crc = UInt32.max
        for byte in content {
            crc ^= UInt32(byte)
            for _ in 0..<8 {
                let carry: UInt32 = crc & 1 == 0 ? 0 : 0xEDB8_8320
                crc = (crc >> 1) ^ carry
            }
        }
        return ~crc
    }
}
