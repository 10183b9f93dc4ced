/// The names of header fields that credentials and signatures added to this call.
private enum CredentialFields: CallKey {
    static let defaultValue: [String] = []
}

extension Call {
    /// The header fields that interceptors above added as credentials or signatures.
    ///
    /// Whoever sends a request on to another origin drops them, and whoever shows a request hides them.
    public var credentialFields: [String] { self[CredentialFields.self] }

    /// Returns this call with more header fields noted as credentials or signatures.
    public func credentialFields(adding names: [String]) -> Call {
        let known = credentialFields
        let new = names.filter { name in !known.contains { HTTP.isSameName($0, name) } }
        return new.isEmpty ? self : value(known + new, for: CredentialFields.self)
    }
}
