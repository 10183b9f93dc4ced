extension OutcomeClassifier where Input == HTTP.Request {
    /// Returns a classifier that also reads business codes from a JSON envelope, inside a 200 too.
    ///
    /// So an expired session that a service reports with a code leads to the same refresh as a 401, and
    /// a busy service to the same retry as a 503. A body of success that breaks off or does not come in
    /// time is transient.
    /// - Parameters:
    ///   - envelope: Where the code stands, and what codes mean.
    ///   - limit: How much of a body is looked at, in bytes. Defaults to 64 KiB.
    ///   - timeout: How long is waited for that part; the call's deadline counts too. Defaults to 10 s.
    public func reading(
        _ envelope: ResponseEnvelope,
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
            let wish = response.headers.retryAfter(date: outcome.date)
            let unlisted: Classification.Kind? = response.status.isSuccess ? .permanent : nil
            guard let kind = envelope.kind(of: failure.code) ?? unlisted else { return nil }
            return Classification(kind, reason: failure.reason, retryAfter: wish)
        }
    }
}
