import InterceptorKitConcurrency
import Synchronization

/// Whether a call is given a credential.
public enum CredentialUse: String, Sendable, Hashable {
    /// Attach one if there is one.
    case automatic
    /// Attach one, for which the source is asked if there is none, or throw
    /// ``TokenError/Code/missingCredential``.
    case required
    /// Attach none, as for a public route.
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
    /// Whether this call is given a credential. Defaults to ``CredentialUse/automatic``.
    public var credentialUse: CredentialUse {
        get { self[CredentialUseKey.self] }
        set { self[CredentialUseKey.self] = newValue }
    }

    /// Which of several credentials this call is given: the name of a ``TokenInterceptor``. Defaults to
    /// none, which takes the first that is for the request's origin and has one.
    public var credentialName: String? {
        get { self[CredentialNameKey.self] }
        set { self[CredentialNameKey.self] = newValue }
    }

    /// Takes part in giving the request a credential.
    /// - Parameter credential: What it is given; `nil` if nothing.
    /// - Returns: Who else takes part, for a request that goes out bare; `nil` for one whose credential
    ///   is known.
    func candidates(adding credential: Credential?) -> CredentialCandidates? {
        let known = self[CandidatesKey.self]
        known?.add()
        guard credential == nil, credentialFields.isEmpty else { return nil }
        if let known { return known }
        let candidates = CredentialCandidates()
        candidates.add()
        return candidates
    }

    /// Returns this call with those who take part noted for interceptors below.
    func offering(_ candidates: CredentialCandidates?) -> Call {
        guard let candidates, self[CandidatesKey.self] == nil else { return self }
        return value(candidates, for: CandidatesKey.self)
    }
}

/// Counts the interceptors that could give one request a credential.
///
/// If a request goes out bare past several of them and is rejected, nobody can say whose credential is
/// missing, so none is renewed. Shared, because those above must hear of those below.
final class CredentialCandidates: Sendable {
    private let count = Lock(0)

    var isOne: Bool { count.withLock { $0 == 1 } }

    func add() { count.withLock { $0 += 1 } }
}
