extension HTTP {
    /// A hash function, by its name in the fields of RFC 9530.
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

        /// The algorithms registered as active: `sha-512` and `sha-256` (RFC 9530 section 7.2).
        public static let active: Set<DigestAlgorithm> = [.sha512, .sha256]
    }
}

extension HTTP.DigestAlgorithm: CustomStringConvertible {
    /// The name.
    public var description: String { name }
}

extension HTTP.DigestAlgorithm {
    /// The hash function; `nil` if this library lacks it, such as a checksum that detects accidents only.
    var hash: HashAlgorithm? {
        switch self {
        case .sha256: .sha256
        case .sha512: .sha512
        case .md5: .md5
        case .sha: .sha1
        default: nil
        }
    }
}
