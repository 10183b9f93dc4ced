/// Whether a call is given a credential.
public enum CredentialUse: Sendable, Hashable {
    /// Attach one if there is one.
    case automatic
    /// Attach one, or throw ``TokenError/Code/missingCredential``.
    case required
    /// Attach none, as for a public route.
    case none
}

private enum CredentialUseKey: PartitioningCallKey {
    static let defaultValue = CredentialUse.automatic
}

extension Call {
    /// Whether this call is given a credential. Defaults to ``CredentialUse/automatic``.
    public var credentialUse: CredentialUse {
        get { self[CredentialUseKey.self] }
        set { self[CredentialUseKey.self] = newValue }
    }
}
