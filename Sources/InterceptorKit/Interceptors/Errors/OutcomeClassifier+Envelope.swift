extension OutcomeClassifier where Input == HTTP.Request {
    /// Returns a classifier that also reads business codes from a JSON envelope, even inside a 200.
    ///
    /// A business code for an expired session then leads to a refresh, as a 401 does, and one for a busy service to a
    /// retry, as a 503 does. A body with an accepted status that breaks off or arrives too late is transient.
    /// - Parameters:
    ///   - envelope: The place of the code, and the meanings of codes.
    ///   - limit: The largest part of a body that is inspected, in bytes. Defaults to 64 KiB.
    ///   - timeout: The longest wait for that part; the call's deadline counts too. Defaults to 10 s.
    public func reading(
        _ envelope: HTTP.ResponseEnvelope,
        upTo limit: Int = 64 << 10,
        within timeout: Duration = .seconds(10)
    ) -> OutcomeClassifier {
        preceded { outcome in
            guard case .success(let response) = outcome.result, response.hasJSONBody,
                response.body.length ?? 0 <= limit,
                let seen = try? await response.body.beginning(
                    upTo: limit,
                    within: min(timeout, outcome.remaining ?? timeout),
                    on: outcome.runtime
                )
            else { return nil }
            if response.status.isSuccess, let failure = seen.failure {
                return .transient("body: \(failure.code)")
            }
            guard let failure = seen.json.flatMap(envelope.failure) else { return nil }
            let retryAfter = response.headers.retryAfter(date: outcome.date)
            let unlisted: Classification.Kind? = response.status.isSuccess ? .permanent : nil
            guard let kind = envelope.kind(of: failure.code) ?? unlisted else { return nil }
            return Classification(kind, reason: failure.reason, retryAfter: retryAfter)
        }
    }
}
