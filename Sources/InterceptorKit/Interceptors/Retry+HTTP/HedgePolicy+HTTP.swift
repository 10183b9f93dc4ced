extension HedgePolicy where Input == HTTP.Request {
    /// The policy for HTTP: hedges requests with a safe method (RFC 9110 section 9.2.1), unless their call
    /// says otherwise.
    public static var standard: HedgePolicy {
        HedgePolicy(classifier: .inherited) { request, call in
            call.isIdempotent ?? request.method.isSafe
        }
    }
}
