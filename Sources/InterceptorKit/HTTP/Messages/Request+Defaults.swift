extension HTTP.Request {
    /// The rules of HTTP, for interceptors and policies without their own.
    ///
    /// The standard classification:
    ///
    /// - transient: 408, 425, 500, 502, 503, 504; 413 with `Retry-After`; 409 to a request with an
    ///   `Idempotency-Key`, whose first send is still in progress; transport failures other than TLS
    /// - throttled: 429, and 503 with `Retry-After`
    /// - unauthorized: 401
    /// - permanent: other statuses from 400; requests that cannot be sent; cancellation
    /// - success: everything else
    ///
    /// got, undici, AWS and go-retryablehttp agree on this list; 501 is permanent, because a server does not learn a
    /// method when it is asked again.
    ///
    /// The classification of a server's health:
    ///
    /// - transient, a failure: 500 to 599 except 501, with or without `Retry-After`; transport failures
    /// - throttled, which counts as a success: 429, because a server that rations is healthy
    /// - permanent: other statuses from 400, which the request caused and which count as a success; local errors
    ///   and cancellation, which do not count
    /// - success: everything else
    ///
    /// A ``ClassifiedError`` states its own classification.
    ///
    /// A request is sent again only if that is safe: if it has an idempotent method (RFC 9110 section 9.2.2) or an
    /// `Idempotency-Key`, if its call says so (``Call/isIdempotent``), or if it is known to be unsent; and only if its
    /// body can be sent again. A request is hedged if its method is safe (RFC 9110 section 9.2.1), unless its call says
    /// otherwise. Rate hints are those of ``HTTP/Response/rateHint(date:)``.
    public static let defaults = InputDefaults<HTTP.Request>(
        classifier: OutcomeClassifier(recognising: { $0.status.code < 400 }) { outcome in
            switch outcome.result {
            case .success(let response): classify(response, outcome)
            case .failure(let error): classify(error)
            }
        },
        health: OutcomeClassifier(recognising: { $0.status.code < 400 }) { outcome in
            switch outcome.result {
            case .success(let response): classifyHealth(response, outcome)
            case .failure(let error): classifyHealth(error)
            }
        },
        isRepeatable: { request, call, classification in
            classification.isUnsent || call.isIdempotent ?? request.isKnownIdempotent
        },
        isHedgeable: { request, call in call.isIdempotent ?? request.method.isSafe },
        rateHint: { response, call in response.rateHint(date: call.runtime.date) }
    )

    private var isKnownIdempotent: Bool { method.isIdempotent || headers.hasIdempotencyKey }

    private static func classify(
        _ response: HTTP.Response,
        _ outcome: Outcome<HTTP.Request>
    ) -> Classification {
        guard response.status.code >= 400 else { return .success }
        let retryAfter = response.headers.retryAfter(date: outcome.date)
        let kind: Classification.Kind =
            switch response.status.code {
            case 401: .unauthorized
            case 429: .throttled
            case 503: retryAfter == nil ? .transient : .throttled
            case 409: outcome.input.headers.hasIdempotencyKey ? .transient : .permanent
            case 413: retryAfter == nil ? .permanent : .transient
            case 408, 500, 502, 504: .transient
            // The retry is sent without early data, so a second 425 has another cause.
            case 425: outcome.attempt == 1 ? .transient : .permanent
            default: .permanent
            }
        return Classification(
            kind,
            reason: response.status.description,
            retryAfter: retryAfter,
            isTimeout: response.status == 504
        )
    }

    private static func classify(_ error: any Error) -> Classification {
        switch error {
        case let error as any ClassifiedError: error.classification
        // Sending again changes nothing about a decoding, validation or user's own error.
        default:
            .permanent(error is CancellationError ? "cancelled" : Redaction.typeName(of: error))
        }
    }

    private static func classifyHealth(
        _ response: HTTP.Response,
        _ outcome: Outcome<HTTP.Request>
    ) -> Classification {
        guard response.status.code >= 400 else { return .success }
        let kind: Classification.Kind =
            switch response.status.code {
            case 429: .throttled
            case 501: .permanent
            case 500...599: .transient
            default: .permanent
            }
        return Classification(
            kind,
            reason: response.status.description,
            retryAfter: response.headers.retryAfter(date: outcome.date)
        )
    }

    private static func classifyHealth(_ error: any Error) -> Classification {
        guard let error = error as? TransportError else { return classify(error) }
        // A closed transport or an unsupported feature says nothing about the server.
        return Classification(
            [.closed, .unsupported].contains(error.code) ? .permanent : .transient,
            reason: error.code.description,
            isUnsent: error.isUnsent
        )
    }
}

extension RetryPolicy where Input == HTTP.Request {
    /// Returns this policy with a field in every retry that has the number of earlier sends: 1 in the first retry.
    /// - Parameter name: The field's name. Defaults to `Retry-Attempt`.
    public func markingRetries(with name: String = "Retry-Attempt") -> RetryPolicy {
        var policy = self
        policy.prepare = { [prepare] request, call in
            prepare?(&request, call)
            request.headers[name] = "\(call.attempt - 1)"
        }
        return policy
    }
}
