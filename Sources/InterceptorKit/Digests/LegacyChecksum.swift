/// Sums that find accidents and no attacks. Kept for messages that carry them (RFC 9530 section 7.2).
enum LegacyChecksum: Sendable {
    /// Adler-32 (RFC 1950).
    case adler32(low: UInt32 = 1, high: UInt32 = 0)
    /// CRC-32C (RFC 9260 appendix A).
    case crc32c(UInt32 = 0xffff_ffff)
    /// The sum of BSD's `sum`.
    case unixSum(UInt16 = 0)
    /// The CRC of POSIX's `cksum`, which covers the length as well.
    case unixCksum(UInt32 = 0, length: UInt64 = 0)

    mutating func update(_ bytes: some Sequence<UInt8>) {
        switch self {
        case .adler32(var low, var high):
            for byte in bytes {
                low = (low + UInt32(byte)) % 65_521
                high = (high + low) % 65_521
            }
            self = .adler32(low: low, high: high)
        case .crc32c(var remainder):
            for byte in bytes {
                remainder ^= UInt32(byte)
                for _ in 0..<8 {
                    remainder = remainder >> 1 ^ (remainder & 1 == 1 ? 0x82f6_3b78 : 0)
                }
            }
            self = .crc32c(remainder)
        case .unixSum(var sum):
            for byte in bytes { sum = (sum >> 1 | sum << 15) &+ UInt16(byte) }
            self = .unixSum(sum)
        case .unixCksum(var remainder, var length):
            for byte in bytes {
                remainder = Self.posix(remainder, byte)
                length += 1
            }
            self = .unixCksum(remainder, length: length)
        }
    }

    /// The sum, its most significant byte first.
    var bytes: [UInt8] {
        switch self {
        case .adler32(let low, let high): return Self.bytes(of: high << 16 | low)
        case .crc32c(let remainder): return Self.bytes(of: ~remainder)
        case .unixSum(let sum): return Self.bytes(of: UInt32(sum)).suffix(2)
        case .unixCksum(var remainder, var length):
            while length > 0 {
                remainder = Self.posix(remainder, UInt8(truncatingIfNeeded: length))
                length >>= 8
            }
            return Self.bytes(of: ~remainder)
        }
    }

    private static func posix(_ remainder: UInt32, _ byte: UInt8) -> UInt32 {
        var remainder = remainder ^ UInt32(byte) << 24
        for _ in 0..<8 {
            remainder = remainder << 1 ^ (remainder >> 31 == 1 ? 0x04c1_1db7 : 0)
        }
        return remainder
    }

    private static func bytes(of word: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> $0) }
    }
}
