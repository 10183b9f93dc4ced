#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The key, freshness and body hash with which a ``SignatureScheme`` signs a request.
public struct SigningContext: Sendable {
    /// The key.
    public let key: SigningKey
    /// The values that make this signature unique.
    public let freshness: SignatureFreshness
    /// The body's digest with the algorithm of ``SignatureScheme/bodyHash(for:)``; `nil` for a body that is not signed.
    public let bodyHash: HashAlgorithm.Digest?

    /// Creates a context.
    /// - Parameters:
    ///   - key: The key.
    ///   - freshness: The values that make this signature unique.
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

    /// The time of the signature.
    public var date: Date { freshness.date }
    /// The time of the signature in whole seconds since 1970.
    public var timestamp: Int { freshness.timestamp }
    /// A number used once, as hexadecimal digits.
    public var nonce: String { freshness.nonce }

    /// Returns the HMAC of some bytes with the key, for custom schemes.
    /// - Parameters:
    ///   - bytes: The bytes to sign.
    ///   - algorithm: The hash function. Defaults to SHA-256.
    /// - Throws: ``SigningError`` if the key is not a secret.
    public func authenticationCode(
        of bytes: some Sequence<UInt8>,
        using algorithm: HashAlgorithm = .sha256
    ) throws(SigningError) -> HashAlgorithm.Digest {
        try key.secret.authenticationCode(of: bytes, using: algorithm)
    }

    /// Returns the expiry of a signature with a lifetime, in seconds since 1970. Lifetimes of more than 1e12 s are
    /// shortened, so that fields can express the expiry.
    public func expiry(after lifetime: Duration) -> Int {
        timestamp + Int(max(0, min(lifetime.inSeconds, 1e12)))
    }
}

/// The values that make a signature unique: its time, and a number used once.
public struct SignatureFreshness: Sendable, Hashable {
    /// The time of the signature.
    public let date: Date
    /// A number used once, as hexadecimal digits.
    public let nonce: String

    /// Creates freshness from its values.
    /// - Parameters:
    ///   - date: The time of the signature.
    ///   - nonce: A number used once, as hexadecimal digits.
    public init(date: Date, nonce: String) {
        self.date = date
        self.nonce = nonce
    }

    /// The time in whole seconds since 1970; 0 for a date that is out of range.
    public var timestamp: Int { Int(exactly: date.timeIntervalSince1970.rounded(.down)) ?? 0 }

    /// - Parameter offset: The seconds by which the server's clock is ahead of the local one.
    init(_ runtime: Runtime, offset: TimeInterval) {
        let words = (runtime.random(), runtime.random())
        let nonce = unsafe String(unsafeUninitializedCapacity: 32) { digits in
            for index in 0..<32 {
                let word = index < 16 ? words.0 : words.1
                let digit = UInt8(truncatingIfNeeded: word >> UInt64(60 - index % 16 * 4)) & 15
                // Safety: the index is below the requested capacity.
                unsafe digits[index] = digit < 10 ? 0x30 + digit : 0x57 + digit
            }
            return 32
        }
        self.init(date: runtime.date.addingTimeInterval(offset), nonce: nonce)
    }
}
