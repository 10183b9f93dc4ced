extension OutcomeClassifier where Input == HTTP.Request {
    /// Returns a classifier that also reads business codes from a JSON envelope, inside a 200 too.
    ///
    /// So an expired session that a service reports with a code leads to the same refresh as a 401, and
    /// a busy service to the same retry as a 503. A body of success that breaks off or does not come in
    /// time is transient.
    /// - Parameters:
    ///   - envelope: Where the code stands.
    ///   - unauthorized: The codes of a missing or expired session. Defaults to none.
    ///   - transient: The codes worth another try. Defaults to none.
    ///   - throttled: The codes that ask for fewer calls. Defaults to none.
    ///   - limit: How much of a body is looked at, in bytes. Defaults to 64 KiB.
    ///   - timeout: How long is waited for that part; the call's deadline counts too. Defaults to 10 s.
    public func reading(
        _ envelope: ResponseEnvelope,
        unauthorized: Set<ResponseEnvelope.Code> = [],
        transient: Set<ResponseEnvelope.Code> = [],
        throttled: Set<ResponseEnvelope.Code> = [],
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
            func found(_ kind: Classification.Kind) -> Classification {
                Classification(kind, reason: failure.reason, retryAfter: wish)
            }
            if unauthorized.contains(failure.code) { return found(.unauthorized) }
            if throttled.contains(failure.code) { return found(.throttled) }
            if transient.contains(failure.code) { return found(.transient) }
            return response.status.isSuccess ? found(.permanent) : nil
        }
    }
}
