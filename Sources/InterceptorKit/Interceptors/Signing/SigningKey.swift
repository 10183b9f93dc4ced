/// A secret to sign with, and the name the server knows it by. Never shows the secret.
public struct SigningKey: Sendable {
    /// The name the server knows it by.
    public let id: String

    let secret: [UInt8]

    /// Creates a key.
    /// - Parameters:
    ///   - id: The name the server knows it by; printable ASCII.
    ///   - secret: The secret's bytes.
    public init(id: String, secret: some Sequence<UInt8>) {
        self.id = id
        self.secret = Array(secret)
    }

    /// The HMAC of some bytes with this key, for schemes of one's own.
    /// - Parameters:
    ///   - bytes: What is signed.
    ///   - algorithm: The hash function. Defaults to SHA-256.
    public func authenticationCode(
        of bytes: some Sequence<UInt8>,
        using algorithm: HashAlgorithm = .sha256
    ) -> HashAlgorithm.Digest {
        algorithm.authenticationCode(of: bytes, key: secret)
    }

    func validate() throws(SigningError) {
        guard !secret.isEmpty else { throw SigningError.missingKey(id) }
        let isPrintable = id.utf8.allSatisfy { 0x21...0x7E ~= $0 && !"\",".utf8.contains($0) }
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
    /// The id only, so that `dump` and debuggers do not show the secret.
    public var customMirror: Mirror { Mirror(self, children: ["id": id]) }
}

/// Where signing keys come from.
///
/// Asked anew for each attempt, so a key can rotate while the program runs.
public protocol SigningKeyStore: Sendable {
    /// The key to sign a request with.
    /// - Parameter id: The id asked for with ``Call/signingKeyID``; `nil` means the store's own choice.
    /// - Returns: `nil` if there is none: the request is then not sent.
    func key(id: String?) async throws -> SigningKey?
}

/// Keys that do not change, the first of them used unless a call asks for another.
public struct FixedSigningKeys: SigningKeyStore {
    let keys: [SigningKey]

    /// Creates a store.
    public init(_ keys: [SigningKey]) { self.keys = keys }

    public func key(id: String?) async throws -> SigningKey? {
        guard let id else { return keys.first }
        return keys.first { $0.id == id }
    }
}
