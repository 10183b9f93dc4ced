/// Where signing keys come from.
///
/// Asked again for each attempt, so a key can rotate while the program runs.
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
