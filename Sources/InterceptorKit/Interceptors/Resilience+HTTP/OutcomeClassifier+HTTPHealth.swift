extension OutcomeClassifier where Input == HTTP.Request {
    /// The classifier of a server's health by HTTP outcomes.
    ///
    /// - transient, a failure: 500 to 599 except 501, with or without `Retry-After`; transport failures
    /// - throttled, which does not count: 429, because a server that rations is healthy
    /// - permanent, which does not count: other statuses from 400, which the request caused; local errors;
    ///   cancellation
    /// - success: everything else
    ///
    /// A ``ClassifiedError`` states its own classification.
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
                // A transport that is closed, or cannot do it, is nothing the server did.
                Classification(
                    [.closed, .unsupported].contains(error.code) ? .permanent : .transient,
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
