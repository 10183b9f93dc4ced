#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Who calls, as a serving chain has verified it.
///
/// An interceptor that verifies its caller sets ``Call/principal`` for the stages below it, which take its ``id`` as
/// the key of a rate limit, of idempotency records and of log lines.
public struct Principal: Sendable, Hashable {
    /// Who vouches for the subject, such as the URL of an authorization server; empty if the service itself does, as
    /// with a key that it has registered.
    public let issuer: String
    /// The caller: a user, a client, or a key. Unique within the issuer.
    public let subject: String
    /// The client that calls for the subject (RFC 9068 section 2.2); `nil` if it is not known.
    public let clientID: String?
    /// What the caller may do, as the issuer says.
    public let scopes: Set<String>
    /// The end of the proof, such as a token's expiry; `nil` if it has none.
    public let expiry: Date?

    /// Creates a principal.
    /// - Parameters:
    ///   - subject: The caller.
    ///   - issuer: Who vouches for it. Defaults to the service itself.
    ///   - clientID: The client that calls for the subject. Defaults to none.
    ///   - scopes: What the caller may do. Defaults to nothing.
    ///   - expiry: The end of the proof. Defaults to none.
    public init(
        _ subject: String,
        issuer: String = "",
        clientID: String? = nil,
        scopes: Set<String> = [],
        expiry: Date? = nil
    ) {
        self.issuer = issuer
        self.subject = subject
        self.clientID = clientID
        self.scopes = scopes
        self.expiry = expiry
    }

    /// The subject together with its issuer: distinct from every other principal's.
    public var id: String { issuer.isEmpty ? subject : "\(issuer.utf8.count):\(issuer)\(subject)" }
}

private enum CallPrincipal: CallKey {
    static let defaultValue: Principal? = nil
}

extension Call {
    /// Who calls; `nil` before an interceptor of the serving chain has verified it.
    public var principal: Principal? {
        get { self[CallPrincipal.self] }
        set { self[CallPrincipal.self] = newValue }
    }
}
