#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What a ``SignatureScheme`` signs a request with.
public struct SigningContext: Sendable {
    /// The key.
    public let key: SigningKey
    /// What makes this signature unlike any other.
    public let freshness: SignatureFreshness
    /// The body's digest by the hash that ``SignatureScheme/bodyHash(for:)`` asked for; `nil` for a
    /// body that is not signed.
    public let bodyHash: HashAlgorithm.Digest?

    /// Creates a context.
    /// - Parameters:
    ///   - key: The key.
    ///   - freshness: What makes this signature unlike any other.
    ///   - bodyHash: The body's digest. Defaults to none, for a body that is not signed.
    public init(
        key: SigningKey,
        freshness: SignatureFreshness,
        bodyHash: HashAlgorithm.Digest? = nil
    ) {
        self.key = key
        self.freshness = freshness
        self.bodyHash = bodyHash
    }

    /// When the signature is made.
    public var date: Date { freshness.date }
    /// The same in seconds since 1970, whole.
    public var timestamp: Int { freshness.timestamp }
    /// A number used once, in hexadecimal digits.
    public var nonce: String { freshness.nonce }

    /// The HMAC of some bytes with the key, for schemes of your own.
    /// - Parameters:
    ///   - bytes: What is signed.
    ///   - algorithm: The hash function. Defaults to SHA-256.
    /// - Throws: ``SigningError`` if the key isn't a secret.
    public func authenticationCode(
        of bytes: some Sequence<UInt8>,
        using algorithm: HashAlgorithm = .sha256
    ) throws(SigningError) -> HashAlgorithm.Digest {
        try key.secret.authenticationCode(of: bytes, using: algorithm)
    }

    /// When a signature of that lifetime ends, in seconds since 1970; never beyond what fields can say.
    public func expiry(after lifetime: Duration) -> Int {
        timestamp + Int(max(0, min(lifetime.inSeconds, 1e12)))
    }
}

/// What makes a signature unlike any other: when it was made, and a number used once.
public struct SignatureFreshness: Sendable, Hashable {
    /// When the signature is made.
    public let date: Date
    /// A number used once, in hexadecimal digits.
    public let nonce: String

    /// Creates freshness.
    /// - Parameters:
    ///   - date: When the signature is made.
    ///   - nonce: A number used once, in hexadecimal digits.
    public init(date: Date, nonce: String) {
        self.date = date
        self.nonce = nonce
    }

    /// Seconds since 1970, whole; 0 for a date beyond what numbers can say.
    public var timestamp: Int { Int(exactly: date.timeIntervalSince1970.rounded(.down)) ?? 0 }

    /// - Parameter offset: How far the server's clock is ahead of ours.
    init(_ runtime: Runtime, offset: TimeInterval) {
        let words = [runtime.random(), runtime.random()]
        let bytes = words.flatMap { word in
            stride(from: 56, through: 0, by: -8).map {
                UInt8(truncatingIfNeeded: word >> UInt64($0))
            }
        }
        self.init(date: runtime.date.addingTimeInterval(offset), nonce: bytes.hexadecimal)
    }
}
