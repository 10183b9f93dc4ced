/// A key to sign with, and its id at the server. The secret is never shown.
///
/// It is a shared secret, or a private key whose public half the server has.
public struct SigningKey: Sendable {
    enum Material: Sendable {
        case secret(SharedSecret)
        case signer(any MessageSigner)
    }

    /// The id by which the server knows the key.
    public let id: String

    /// The token that came with a temporary key and is sent with it, such as an AWS session token or an OAuth 1.0a
    /// token. Defaults to `nil`, for a key without a token.
    public var token: String?

    let material: Material

    /// Creates a key from a shared secret.
    /// - Parameters:
    ///   - id: The id by which the server knows the key; printable ASCII.
    ///   - secret: The secret's bytes.
    public init(id: String, secret: some Sequence<UInt8>) {
        self.id = id
        material = .secret(SharedSecret(secret))
    }

    /// Creates a key from a private key whose public half the server has.
    /// - Parameters:
    ///   - id: The id by which the server knows the key; printable ASCII.
    ///   - signer: The private key.
    public init(id: String, signer: some MessageSigner) {
        self.id = id
        material = .signer(signer)
    }

    /// Returns the HMAC of some bytes with this key, for custom schemes.
    /// - Parameters:
    ///   - bytes: The bytes to sign.
    ///   - algorithm: The hash function. Defaults to SHA-256.
    /// - Throws: ``SigningError`` if the key is not a secret.
    public func authenticationCode(
        of bytes: some Sequence<UInt8>,
        using algorithm: HashAlgorithm = .sha256
    ) throws(SigningError) -> HashAlgorithm.Digest {
        try secret.authenticationCode(of: bytes, using: algorithm)
    }

    /// Passes the secret's bytes to a closure, for schemes that derive keys from it.
    /// - Parameter use: Receives the bytes, which it must not keep or show.
    /// - Throws: ``SigningError`` if the key is not a secret; the error of `use`.
    public func withSecret<Result>(_ use: ([UInt8]) throws -> Result) throws -> Result {
        try use(secret.bytes)
    }

    /// Whether the key is a shared secret, not a private key.
    public var isSecret: Bool { if case .secret = material { true } else { false } }

    /// The private key, for schemes that sign with it.
    /// - Throws: ``SigningError`` if the key is a secret.
    public var signer: any MessageSigner {
        get throws(SigningError) {
            guard case .signer(let signer) = material else {
                throw SigningError(
                    .unsuitableKey,
                    "The key \(HTTP.printable(id)) is a secret, and the scheme signs with a private "
                        + "key. Give the key a signer."
                )
            }
            return signer
        }
    }

    /// The secret, for schemes that keep keys derived from it.
    /// - Throws: ``SigningError`` if the key is not a secret.
    public var secret: SharedSecret {
        get throws(SigningError) {
            guard case .secret(let secret) = material else {
                throw SigningError(
                    .unsuitableKey,
                    "The key \(HTTP.printable(id)) is a private key, and the scheme signs with a "
                        + "secret that both sides have. Give the key a secret."
                )
            }
            return secret
        }
    }

    /// Throws if the key cannot sign: its secret is empty, or its id cannot be sent in a field.
    public func validate() throws(SigningError) {
        if case .secret(let secret) = material, secret.isEmpty {
            throw SigningError(
                .unsuitableKey,
                "The secret of the key \(HTTP.printable(id)) is empty. Load it before the key is made."
            )
        }
        let isPrintable = id.utf8.allSatisfy {
            0x21...0x7E ~= $0 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: ",")
        }
        guard !id.isEmpty, isPrintable else {
            throw SigningError(
                .invalidKeyID,
                "The key id \(HTTP.printable(id)) is empty or has blanks, quotes, commas or characters beyond "
                    + "ASCII."
            )
        }
    }
}

extension SigningKey: CustomStringConvertible {
    /// The key's id.
    public var description: String { "SigningKey(\(id))" }
}

extension SigningKey: CustomReflectable {
    /// The id only, so that `dump` and debuggers do not show the key.
    public var customMirror: Mirror { Mirror(self, children: ["id": id]) }
}

/// A store that returns keys to sign with.
///
/// Asked anew for each attempt, so a key can rotate while the program runs.
public protocol SigningKeyStore: Sendable {
    /// Returns the key to sign a request with.
    /// - Parameter id: The id from ``Call/signingKeyID``; `nil` leaves the choice to the store.
    /// - Returns: The key; `nil` if there is none, and then the request is not sent.
    func key(id: String?) async throws -> SigningKey?
}

/// A store with fixed keys. It returns the first unless a call asks for another.
public struct FixedSigningKeys: SigningKeyStore {
    let keys: [SigningKey]

    /// Creates a store.
    public init(_ keys: [SigningKey]) { self.keys = keys }

    public func key(id: String?) async throws -> SigningKey? { self[id] }

    /// The key of an id, the first without one.
    subscript(id: String?) -> SigningKey? {
        guard let id else { return keys.first }
        return keys.first { $0.id == id }
    }
}
