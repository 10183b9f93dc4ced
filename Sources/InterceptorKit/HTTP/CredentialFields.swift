/// The names of header fields that credentials and signatures added to this call.
private enum CredentialFields: CallKey {
    static let defaultValue: [String] = []
}

private enum WitnessKey: CallKey {
    static let defaultValue: CredentialWitness? = nil
}

extension Call {
    /// The header fields that interceptors above added as credentials or signatures.
    ///
    /// Whoever sends a request on to another origin drops them, and whoever shows a request hides them.
    public var credentialFields: [String] { self[CredentialFields.self] }

    /// Returns this call with more header fields noted as credentials or signatures.
    ///
    /// An interceptor that attaches a credential calls this even if it stands in no field: caches above
    /// then know that the response may be for one user.
    public func credentialFields(adding names: [String]) -> Call {
        self[WitnessKey.self]?.note()
        let known = credentialFields
        let new = names.filter { name in !known.contains { HTTP.isSameName($0, name) } }
        return new.isEmpty ? self : value(known + new, for: CredentialFields.self)
    }

    /// Returns this call with someone above who is to know whether a credential is attached below.
    func telling(_ witness: CredentialWitness) -> Call { value(witness, for: WitnessKey.self) }
}

/// Knows whether a credential was attached below. Shared, because those above must hear of those below.
final class CredentialWitness: Sendable {
    private let seen = Lock(false)

    var hasSeenOne: Bool { seen.withLock { $0 } }

    fileprivate func note() { seen.withLock { $0 = true } }
}
