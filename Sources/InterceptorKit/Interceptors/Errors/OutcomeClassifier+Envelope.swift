extension OutcomeClassifier where Input == HTTP.Request {
    /// Returns a classifier that also reads business codes from a JSON envelope, even inside a 200.
    ///
    /// An expired session that a service reports with a code then leads to a refresh, as a 401 does, and a
    /// busy service to a retry, as a 503 does. A body with an accepted status that breaks off or does not
    /// arrive in time is transient.
    /// - Parameters:
    ///   - envelope: The service's envelope.
    ///   - unauthorized: The codes of a missing or expired session. Defaults to none.
    ///   - transient: The codes that are worth another try. Defaults to none.
    ///   - throttled: The codes that ask for fewer calls. Defaults to none.
    ///   - limit: The part of a body that is read, in bytes. Defaults to 64 KiB.
    ///   - timeout: The longest wait for that part; the call's deadline counts too. Defaults to 10 s.
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
