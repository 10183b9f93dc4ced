extension Placement {
    /// What goes wrong when `self` stands outside a stage that belongs above it.
    func consequence(outside other: Placement) -> String {
        switch (self, other) {
        case (.signing, .retry), (.signing, .hedge):
            "a retried request would carry the first attempt's signature and date"
        case (.signing, .redirect):
            "a redirected request would carry a signature made for another target"
        case (.signing, .token):
            "the credential would be added after the signature and not be covered by it"
        case (.signing, .compression):
            "the signature would be over another body than the one that is sent"
        case (.signing, _):
            "the request would be changed after it was signed"
        case (.token, .retry), (.token, .hedge):
            "a retried request would carry the first attempt's credential, and a retry's waits would "
                + "stand between a rejected credential and its refresh"
        case (.token, .redirect):
            "a redirected request would carry the first origin's credential"
        case (.token, .requestShaping):
            "the credential's origin check would see a request without its base URL"
        case (.token, .cache):
            "stored responses would not be kept apart by credential"
        case (.cookies, .redirect):
            "a redirected request would carry the cookies of the first target, and those set on the way "
                + "would be lost"
        case (.cookies, .retry), (.cookies, .hedge), (.cookies, .token):
            "a repeated request would carry the cookies of the first attempt, and those set by answers "
                + "that are not delivered would be lost"
        case (.circuitBreaker, .retry), (.circuitBreaker, .hedge):
            "the breaker would see one outcome for all attempts and open too late"
        case (.attemptTimeout, .retry), (.attemptTimeout, .hedge):
            "one attempt's time limit would cover all attempts and the waits between them"
        case (.totalTimeout, .callerDeadline):
            "the time limit would not know of a caller who waits for less"
        case (.retry, .totalTimeout), (.hedge, .totalTimeout):
            "the total time limit would start anew with each attempt"
        case (.retry, .errorFilter), (.retry, .fallback), (.hedge, .errorFilter),
            (.hedge, .fallback):
            "the retry would judge mapped errors instead of the responses behind them"
        case (.retry, .responseValidation), (.hedge, .responseValidation):
            "the retry would judge refusals instead of the responses behind them"
        case (.token, .responseValidation):
            "a response that asks for another credential would be refused before the token is renewed"
        case (.responseValidation, _):
            "what it refuses would reach the caller past the error filter"
        case (.retry, .idempotencyKey), (.hedge, .idempotencyKey):
            "each attempt would carry a key of its own, so the server could not tell a repetition"
        case (.retry, .requestShaping), (.hedge, .requestShaping):
            "what is common to all attempts would be made anew for each"
        case (.coalescing, .requestShaping):
            "calls would be taken for equal before all that tells them apart was added"
        case (.redirect, .requestShaping):
            "what belongs to the request would be added to each redirect's target too"
        case (.retry, .concurrencyLimit), (.hedge, .concurrencyLimit):
            "a call would queue for a permit again with each attempt"
        case (.compression, _):
            "the body would be changed after it was encoded and digested"
        case (.chaos, _):
            "injected faults would bypass what handles the network's"
        default:
            "the standard order has \(other) outside \(self)"
        }
    }
}
