extension Event.Name {
    /// A credential was attached.
    public static let credentialAttached: Self = "credential.attached"
    /// The server rejected a credential: `reason`.
    public static let credentialRejected: Self = "credential.rejected"
    /// A shared refresh began.
    public static let refreshStarted: Self = "credential.refresh_started"
    /// A shared refresh ended: `outcome`.
    public static let refreshEnded: Self = "credential.refresh_ended"
    /// A refresh's result was discarded, because a sign-in, sign-out or newer credential came first.
    public static let refreshDiscarded: Self = "credential.refresh_discarded"
    /// The authorization server declared the session over: `error.type`.
    public static let sessionEnded: Self = "credential.session_ended"
}

extension Call {
    /// Emits the events for the result of an operation; `nil` if it was no longer wanted.
    func report(_ completion: CredentialState.Completion?, of operation: CredentialState.Operation)
    {
        guard let completion else {
            emit(.refreshDiscarded)
            return
        }
        if operation.isRefresh {
            let outcome =
                switch completion.change {
                case .replaced: "done"
                case .kept: "none"
                case .failed, .sessionEnded: "failed"
                }
            emit(.refreshEnded, ["outcome": .text(outcome)])
        }
        if case .failure(let error) = completion.result,
            (error as? any SessionEndingError)?.endsSession ?? false
        {
            emit(.sessionEnded, ["error.type": .text(Redaction.typeName(of: error))])
        }
    }
}
