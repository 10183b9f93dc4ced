/// A store that returns keys to sign with.
///
/// Asked again for each attempt, so a key can rotate while the program runs.
public protocol SigningKeyStore: Sendable {
    /// Returns the key to sign a request with.
    /// - Parameter id: The id asked for with ``Call/signingKeyID``; `nil` means the store's own choice.
    /// - Returns: `nil` if there is none: the request is then not sent.
    func key(id: String?) async throws -> SigningKey?
}

/// A store with keys that do not change. It returns the first unless a call asks for another.
public struct FixedSigningKeys: SigningKeyStore {
    let keys: [SigningKey]

    /// Creates a store.
    public init(_ keys: [SigningKey]) { self.keys = keys }

    public func key(id: String?) async throws -> SigningKey? {
        guard let id else { return keys.first }
        return keys.first { $0.id == id }
    }
}
