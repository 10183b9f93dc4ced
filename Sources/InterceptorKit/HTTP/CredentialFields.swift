import InterceptorKitConcurrency
import Synchronization

/// The names of header fields that credentials and signatures added to this call.
private enum CredentialFields: CallKey {
    static let defaultValue: [String] = []
}

private enum ObserversKey: CallKey {
    static let defaultValue: [CredentialObserver] = []
}

extension Call {
    /// The header fields that interceptors above added as credentials or signatures.
    ///
    /// Code that sends a request on to another origin drops them, and anyone who shows a request hides them.
    public var credentialFields: [String] { self[CredentialFields.self] }

    /// Returns this call with more header fields noted as credentials or signatures.
    ///
    /// An interceptor that attaches a credential calls this even if it stands in no field: a
    /// ``CredentialObserver`` above, as a cache has one, then knows that the response may be for one user.
    public func credentialFields(adding names: [String]) -> Call {
        for observer in self[ObserversKey.self] { observer.note() }
        let known = credentialFields
        let new = names.filter { name in !known.contains { HTTP.FieldSyntax.isSameName($0, name) } }
        return new.isEmpty ? self : withValue(known + new, for: CredentialFields.self)
    }

    /// Returns this call with an observer that is told when a credential is attached below.
    ///
    /// Observers that were added before are told too.
    public func addingCredentialObserver(_ observer: CredentialObserver) -> Call {
        withValue(self[ObserversKey.self] + [observer], for: ObserversKey.self)
    }
}

/// Knows whether an interceptor below attached a credential to a call: a token, a Digest answer, a
/// signature, whatever calls ``Call/credentialFields(adding:)``.
///
/// For an interceptor that shares responses and must not share one user's with another. Values of a call
/// do not flow up, so the observer is a reference that both sides hold.
public final class CredentialObserver: Sendable {
    private let seen = Lock(false)

    /// Creates an observer; one for each pass down the chain.
    public init() {}

    /// Whether a credential was attached since the observer was created.
    public var hasSeenCredential: Bool { seen.withLock { $0 } }

    fileprivate func note() { seen.withLock { $0 = true } }
}
