extension OutcomeClassifier where Input == HTTP.Request {
    /// Returns a classifier that also reads business codes from a JSON envelope, inside a 200 too.
    ///
    /// So an expired session that a service reports with a code leads to the same renewal as a 401, and
    /// a busy service to the same retry as a 503.
    /// - Parameters:
    ///   - envelope: Where the code stands.
    ///   - unauthorized: The codes, as text, of a missing or expired session. Defaults to none.
    ///   - transient: The codes worth another try. Defaults to none.
    ///   - throttled: The codes that ask for fewer calls. Defaults to none.
    ///   - limit: How much of a body is looked at, in bytes. Defaults to 64 KiB.
    public func reading(
        _ envelope: ResponseEnvelope,
        unauthorized: Set<String> = [],
        transient: Set<String> = [],
        throttled: Set<String> = [],
        upTo limit: Int = 64 << 10
    ) -> OutcomeClassifier {
        preceded { outcome in
            guard case .success(let response) = outcome.result,
                let value = await response.jsonBeginning(upTo: limit),
                let (code, _) = envelope.read(value), !envelope.success.contains(code)
            else { return nil }
            let wish = response.headers.retryAfter(date: outcome.date)
            func found(_ kind: Classification.Kind) -> Classification {
                Classification(kind, reason: "code \(code)", retryAfter: wish)
            }
            if unauthorized.contains(code) { return found(.unauthorized) }
            if throttled.contains(code) { return found(.throttled) }
            if transient.contains(code) { return found(.transient) }
            return response.status.isSuccess ? found(.permanent) : nil
        }
    }
}
