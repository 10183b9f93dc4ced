extension HTTP {
    /// A hash function under its name in the fields of RFC 9530.
    public struct DigestAlgorithm: Sendable, Hashable {
        /// The name in the IANA registry, a key of a structured field.
        public let name: String

        /// Creates an algorithm from its name, which may be unknown to this library.
        public init(_ name: String) { self.name = name }

        /// SHA-256.
        public static let sha256 = DigestAlgorithm("sha-256")
        /// SHA-512.
        public static let sha512 = DigestAlgorithm("sha-512")
        /// MD5. Deprecated: it detects accidents, but no attacks.
        public static let md5 = DigestAlgorithm("md5")
        /// SHA-1. Deprecated: it detects accidents, but no attacks.
        public static let sha = DigestAlgorithm("sha")
        /// The sum of BSD's `sum`. Deprecated: it detects accidents, but no attacks.
        public static let unixsum = DigestAlgorithm("unixsum")
        /// The CRC of POSIX's `cksum`. Deprecated: it detects accidents, but no attacks.
        public static let unixcksum = DigestAlgorithm("unixcksum")
        /// Adler-32. Deprecated: it detects accidents, but no attacks.
        public static let adler = DigestAlgorithm("adler")
        /// CRC-32C. Deprecated: it detects accidents, but no attacks.
        public static let crc32c = DigestAlgorithm("crc32c")

        /// The algorithms registered as active: `sha-512` and `sha-256` (RFC 9530 section 7.2).
        public static let active: Set<DigestAlgorithm> = [.sha512, .sha256]
    }
}

extension HTTP.DigestAlgorithm: CustomStringConvertible {
    /// The name.
    public var description: String { name }
}

/// A digest of bytes that come piece by piece, with any algorithm known here.
enum RunningDigest: Sendable {
    case hash(RunningHash)
    case checksum(LegacyChecksum)

    init?(_ algorithm: HTTP.DigestAlgorithm) {
        switch algorithm {
        case .sha256: self = .hash(RunningHash(.sha256))
        case .sha512: self = .hash(RunningHash(.sha512))
        case .md5: self = .hash(RunningHash(.md5))
        case .sha: self = .hash(RunningHash(.sha1))
        case .unixsum: self = .checksum(.unixSum())
        case .unixcksum: self = .checksum(.unixCksum())
        case .adler: self = .checksum(.adler32())
        case .crc32c: self = .checksum(.crc32c())
        default: return nil
        }
    }

    mutating func update(_ bytes: some Sequence<UInt8>) {
        switch self {
        case .hash(var hash):
            hash.update(bytes)
            self = .hash(hash)
        case .checksum(var checksum):
            checksum.update(bytes)
            self = .checksum(checksum)
        }
    }

    var bytes: [UInt8] {
        switch self {
        case .hash(let hash): Array(hash.finalize())
        case .checksum(let checksum): checksum.bytes
        }
    }
}
