#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Credential {
    /// Returns this credential with data of its session attached, such as the user, the scopes or the tenant.
    ///
    /// ```swift
    /// let credential = Credential.bearer(answer.token, refreshToken: answer.refreshToken)
    /// try await session.signIn(with: credential.attaching(answer.account))
    /// let account = try await store.load()?.credential.attachment(as: Account.self)
    /// ```
    ///
    /// The attachment stays with the credential: in the store, in other processes that share the store, and through a
    /// refresh whose new credential has no attachment. It is neither sent nor shown.
    ///
    /// Attach a value to the credential of a sign-in. To change it, use ``CredentialCache/attach(_:)``, or let the
    /// source attach another value to a refreshed credential: a sign-in with the current credential would discard a
    /// refresh under way, and with it a new refresh token. To read it without a refresh, ask the store.
    /// - Parameter value: The value to attach, in place of any earlier one.
    /// - Throws: ``TokenError`` with ``TokenError/Code-swift.struct/invalidCredential`` if the value cannot be written
    ///   as JSON. The error shows nothing of the value.
    public func attaching(_ value: some Encodable) throws(TokenError) -> Credential {
        guard let data = try? JSONEncoder().encode(value) else {
            throw TokenError.invalidCredential(
                "what is to be attached to it cannot be written as JSON"
            )
        }
        var credential = self
        credential.attachment = data
        return credential
    }

    /// Returns the value that ``attaching(_:)`` attached.
    /// - Parameter type: The type of the value.
    /// - Returns: `nil` if nothing is attached, as in a credential that an earlier version stored.
    /// - Throws: ``TokenError`` with ``TokenError/Code-swift.struct/invalidCredential`` if the attachment has another
    ///   form. The error shows nothing of it.
    public func attachment<Value: Decodable>(
        as type: Value.Type = Value.self
    ) throws(TokenError) -> Value? {
        guard let attachment else { return nil }
        guard let value = try? JSONDecoder().decode(type, from: attachment) else {
            throw TokenError.invalidCredential("what is attached to it is not a \(type)")
        }
        return value
    }
}
