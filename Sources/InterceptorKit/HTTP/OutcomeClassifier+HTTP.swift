extension OutcomeClassifier where Input == HTTP.Request {
    /// The classifier of the call, which ``HTTP/Client`` sets, and the standard one where the call has none:
    /// the default of interceptors and policies.
    public static var inherited: OutcomeClassifier { inherited(or: .standard) }

    /// The standard classification of HTTP outcomes.
    ///
    /// - transient: 408, 425, 500, 502, 503, 504; 413 with `Retry-After`; 409 to a request with an
    ///   `Idempotency-Key`, whose first send is still in progress; transport failures other than TLS
    /// - throttled: 429, and 503 with `Retry-After`
    /// - unauthorized: 401
    /// - permanent: other statuses from 400; requests that cannot be sent; cancellation
    /// - success: everything else
    ///
    /// A ``ClassifiedError`` states its own classification.
    ///
    /// got, undici, AWS and go-retryablehttp agree on this list; 501 is permanent, because a server does not
    /// learn a method when it is asked again.
    public static var standard: OutcomeClassifier {
        OutcomeClassifier(recognising: { $0.status.code < 400 }) { outcome in
            switch outcome.result {
            case .success(let response): classify(response, outcome)
            case .failure(let error): classify(error)
            }
        }
    }

    private static func classify(
        _ response: HTTP.Response,
        _ outcome: Outcome<HTTP.Request>
    ) -> Classification {
        guard response.status.code >= 400 else { return .success }
        let wish = response.headers.retryAfter(date: outcome.date)
        let kind: Classification.Kind =
            switch response.status.code {
            case 401: .unauthorized
            case 429: .throttled
            case 503: wish == nil ? .transient : .throttled
            case 409: outcome.input.headers.namesOperation ? .transient : .permanent
            case 413: wish == nil ? .permanent : .transient
            case 408, 500, 502, 504: .transient
            // Asked for once more without early data; a second 425 is not about timing.
            case 425: outcome.attempt == 1 ? .transient : .permanent
            default: .permanent
            }
        return Classification(
            kind,
            reason: response.status.description,
            retryAfter: wish,
            isTimeout: response.status == 504
        )
    }

    private static func classify(_ error: any Error) -> Classification {
        switch error {
        case let error as any ClassifiedError: error.classification
        // Decoding, validation, a user's own error: nothing that sending again would change.
        default:
            .permanent(error is CancellationError ? "cancelled" : Redaction.typeName(of: error))
        }
    }
}
