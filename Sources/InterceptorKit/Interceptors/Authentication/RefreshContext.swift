/// Why a ``CredentialSource`` is asked for another credential.
public struct RefreshContext: Sendable {
    /// The call that began the refresh. Others may share its result.
    public let call: Call
    /// The response that rejected the credential, without its body, such as for its `HTTP.Headers.challenges(in:)`;
    /// `nil` if there was none: the credential expires, or the code asked for a refresh.
    public let response: HTTP.Response?
    /// What the new credential must have that the source would not give it otherwise. `nil` if any new one will do.
    ///
    /// The source itself found it in the response (``CredentialSource/need(in:of:)``).
    public let need: CredentialNeed?

    /// Creates a context, such as for a test of a source.
    /// - Parameters:
    ///   - call: The call. Defaults to one without settings.
    ///   - response: The response that rejected the credential. Defaults to none.
    ///   - need: What the new credential must have. Defaults to nothing special.
    public init(
        call: Call = Call(),
        response: HTTP.Response? = nil,
        need: CredentialNeed? = nil
    ) {
        self.call = call
        var head = response
        head?.body = .empty
        self.response = head
        self.need = need
    }

    /// Returns the context of an operation, whose need may be joined with that of the current credential.
    func of(_ operation: CredentialState.Operation) -> RefreshContext {
        RefreshContext(call: call, response: response, need: operation.need)
    }
}
