import Expectations
import Testing

@testable import InterceptorKit

@Suite("LegacyChecksum")
struct LegacyChecksumTests {
    private static let digits = Array("123456789".utf8)
    private static let long = [UInt8](repeating: 0xff, count: 100_000)

    // As zlib, `sum` and `cksum` say; CRC-32C of 32 bytes from RFC 3720 appendix B.4.
    private static let rows: [(LegacyChecksum, [UInt8], [UInt8])] = [
        (.adler32(), [], [0, 0, 0, 1]),
        (.adler32(), digits, [0x09, 0x1e, 0x01, 0xde]),
        (.adler32(), long, [0x14, 0x9a, 0x30, 0x2c]),
        (.crc32c(), digits, [0xe3, 0x06, 0x92, 0x83]),
        (.crc32c(), Array(repeating: 0, count: 32), [0x8a, 0x91, 0x36, 0xaa]),
        (.crc32c(), Array(repeating: 0xff, count: 32), [0x62, 0xa8, 0xab, 0x43]),
        (.unixSum(), [], [0, 0]),
        (.unixSum(), digits, [0xd1, 0x6f]),
        (.unixSum(), long, [0xfe, 0xe7]),
        (.unixCksum(), [], [0xff, 0xff, 0xff, 0xff]),
        (.unixCksum(), digits, [0x37, 0x7a, 0x60, 0x11]),
        (.unixCksum(), long, [0x98, 0x47, 0xb8, 0xc7]),
    ]

    @Test("sums as the programs that it is named after", arguments: rows.indices)
    func published(row: Int) {
        var (checksum, message, sum) = Self.rows[row]

        checksum.update(message)

        expectEqual(checksum.bytes, sum)
    }

    @Test("goes on from piece to piece, also after it was looked at", arguments: rows.indices)
    func pieces(row: Int) {
        let (empty, message, sum) = Self.rows[row]
        var checksum = empty

        checksum.update(message.prefix(message.count / 3))
        _ = checksum.bytes
        checksum.update(message.dropFirst(message.count / 3))

        expectEqual(checksum.bytes, sum)
    }
}
