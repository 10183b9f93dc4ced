extension OutcomeClassifier where Input == HTTP.Request {
    /// What HTTP outcomes say about the server's health.
    ///
    /// - transient, a failure: 500 to 599 but 501, with or without `Retry-After`; failures of the way there
    /// - throttled, which does not count: 429, since a server that rations is well
    /// - permanent, which does not count: other statuses from 400, which are about the request; errors of
    ///   this side; cancellation
    /// - success: everything else
    ///
    /// An error that is a ``ClassifiedError`` speaks for itself.
    public static var health: OutcomeClassifier {
        OutcomeClassifier(recognising: { $0.status.code < 400 }) { outcome in
            switch outcome.result {
            case .success(let response) where response.status.code < 400:
                .success
            case .success(let response):
                Classification(
                    kind(of: response.status),
                    reason: response.status.description,
                    retryAfter: response.headers.retryAfter(date: outcome.date)
                )
            case .failure(let error as TransportError):
                // A transport that was closed is nothing the server did.
                Classification(
                    error.code == .closed ? .permanent : .transient,
                    reason: error.code.description,
                    isUnsent: error.isUnsent
                )
            case .failure(let error as any ClassifiedError):
                error.classification
            case .failure(let error):
                .permanent(error is CancellationError ? "cancelled" : Redaction.typeName(of: error))
            }
        }
    }

    private static func kind(of status: HTTP.Status) -> Classification.Kind {
        switch status.code {
        case 429: .throttled
        case 501: .permanent
        case 500...599: .transient
        default: .permanent
        }
    }
}
