import InterceptorKitConcurrency
import Synchronization

/// Whether a call gets a credential.
public enum CredentialUse: String, Sendable, Hashable {
    /// Attach a credential if there is one, even one that has expired, if its source has no other: the server
    /// decides.
    case automatic
    /// Attach a credential. If there is none, or only one that has expired, ask the source; if it has no other,
    /// throw ``TokenError/Code-swift.struct/missingCredential``,
    /// ``TokenError/Code-swift.struct/expiredCredential`` or ``TokenError/Code-swift.struct/signedOut``, and send
    /// nothing.
    case required
    /// Attach no credential, for example for a public route.
    case none
}

private enum CredentialUseKey: PartitioningCallKey {
    static let defaultValue = CredentialUse.automatic
}

private enum CredentialNameKey: PartitioningCallKey {
    static let defaultValue: String? = nil
}

private enum CandidatesKey: CallKey {
    static let defaultValue: CredentialCandidates? = nil
}

extension Call {
    /// Whether this call gets a credential. Defaults to ``CredentialUse/automatic``.
    public var credentialUse: CredentialUse {
        get { self[CredentialUseKey.self] }
        set { self[CredentialUseKey.self] = newValue }
    }

    /// The name of the ``TokenInterceptor`` whose credential this call gets; `nil`, the default, uses the
    /// first one that allows the request's origin and has a credential.
    public var credentialName: String? {
        get { self[CredentialNameKey.self] }
        set { self[CredentialNameKey.self] = newValue }
    }

    /// Takes part in giving the request a credential.
    /// - Parameter credential: What it is given; `nil` if nothing.
    /// - Returns: Who else takes part, for a request that is sent without a credential; `nil` for one whose
    ///   credential is known.
    func candidates(adding credential: Credential?) -> CredentialCandidates? {
        let known = self[CandidatesKey.self]
        known?.add()
        guard credential == nil, credentialFields.isEmpty else { return nil }
        if let known { return known }
        let candidates = CredentialCandidates()
        candidates.add()
        return candidates
    }

    /// Returns this call with the interceptors that offer a credential, for those below.
    func offering(_ candidates: CredentialCandidates?) -> Call {
        guard let candidates, self[CandidatesKey.self] == nil else { return self }
        return withValue(candidates, for: CandidatesKey.self)
    }
}

/// Counts the interceptors that could give one request a credential.
///
/// If a request is sent without a credential past several of them and is rejected, nobody can say whose
/// credential is missing, so none is refreshed. Shared, because those above must hear of those below.
final class CredentialCandidates: Sendable {
    private let count = Lock(0)

    var isOne: Bool { count.withLock { $0 == 1 } }

    func add() { count.withLock { $0 += 1 } }
}
