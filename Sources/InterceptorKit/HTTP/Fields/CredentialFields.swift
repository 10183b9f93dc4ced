import InterceptorKitConcurrency
import Synchronization

private enum CredentialFields: CallKey {
    static let defaultValue: [String] = []
}

private enum ObserversKey: CallKey {
    static let defaultValue: [CredentialObserver] = []
}

extension Call {
    /// The names of the header fields that interceptors above added as credentials or signatures.
    ///
    /// Code that forwards a request to another origin removes these fields; code that displays a request redacts them.
    public var credentialFields: [String] { self[CredentialFields.self] }

    /// Returns this call with more header fields recorded as credentials or signatures.
    ///
    /// Call this when you attach a credential, even one that is in no field: a ``CredentialObserver`` above, such as a
    /// cache's, then knows that the response may be for one user.
    public func credentialFields(adding names: [String]) -> Call {
        for observer in self[ObserversKey.self] { observer.note() }
        let known = credentialFields
        if known.isEmpty {
            return names.isEmpty ? self : withValue(names, for: CredentialFields.self)
        }
        let new = names.filter { name in !known.contains { HTTP.FieldSyntax.isSameName($0, name) } }
        return new.isEmpty ? self : withValue(known + new, for: CredentialFields.self)
    }

    /// Returns this call with one more observer that notices when an interceptor below attaches a credential.
    public func addingCredentialObserver(_ observer: CredentialObserver) -> Call {
        withValue(self[ObserversKey.self] + [observer], for: ObserversKey.self)
    }
}

/// An observer that notices when an interceptor below attaches a credential to a call: a token, a Digest
/// response, a signature, or anything else that calls ``Call/credentialFields(adding:)``.
///
/// Use it in an interceptor that shares responses and must not share one user's with another. The values of a call do
/// not flow up, so the observer is a reference that both sides hold.
public final class CredentialObserver: Sendable {
    private let seen = Lock(false)

    /// Creates an observer; use one for each pass down the chain.
    public init() {}

    /// Whether a credential was attached since the observer was created.
    public var hasSeenCredential: Bool { seen.withLock { $0 } }

    fileprivate func note() { seen.withLock { $0 = true } }
}
