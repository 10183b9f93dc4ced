// The stages that HTTP adds to the standard order, outermost first.
extension Placement {
    private static let repeating: [Placement] = [.retry, .hedge]

    /// The stage that turns the final outcome into the caller's.
    public static let errorFilter = Placement(
        "error filter",
        inside: [.callTelemetry],
        outside: [.totalTimeout]
    )
    .consequence(
        inside: repeating,
        "the retry would see mapped errors instead of the responses behind them"
    )
    /// The stage that refuses unexpected responses: below an error filter and above interceptors that send again.
    public static let responseValidation = Placement(
        "response validation",
        inside: [.callerDeadline, .errorFilter, .fallback],
        outside: repeating
    )
    .consequence("its refusals would reach the caller without passing the error filter")
    .consequence(
        inside: repeating,
        "the retry would see refusals instead of the responses behind them"
    )
    /// The stage that gives all attempts of a call one key, above interceptors that send again.
    public static let idempotencyKey = Placement(
        "idempotency key",
        inside: [.concurrencyLimit],
        outside: [.coalescing]
    )
    .consequence(
        inside: repeating,
        "each attempt would carry its own key, so the server could not recognise a repetition"
    )
    /// The stage that completes a request (base URL, common fields): anywhere above interceptors that use its target.
    public static let requestPreparation = Placement("request preparation", outside: [.coalescing])
        .consequence(
            inside: repeating,
            "what is common to all attempts would be made separately for each"
        )
        .consequence(
            inside: [.coalescing],
            "calls would be compared before everything that tells them apart was added"
        )
    /// The stage that follows redirects; each redirected request passes everything below.
    public static let redirect = Placement(
        "redirect",
        inside: [.coalescing],
        outside: repeating
    )
    .consequence(
        outside: [.requestPreparation],
        "what belongs to the request would be added to each redirect's target too"
    )
    /// The stage that returns stored responses.
    public static let cache = Placement("cache", inside: [.redirect], outside: repeating)
    /// The stage that attaches the newest credential to each attempt.
    public static let token = Placement("token", inside: repeating, outside: [.circuitBreaker])
        .consequence(
            outside: repeating,
            "a retried request would carry the first attempt's credential, and a retry's waits would "
                + "stand between a rejected credential and its refresh"
        )
        .consequence(
            outside: [.redirect],
            "a redirected request would carry the first origin's credential"
        )
        .consequence(
            outside: [.requestPreparation],
            "the credential's origin check would see a request without its base URL"
        )
        .consequence(
            outside: [.cache],
            "stored responses would not be kept apart by credential"
        )
        .consequence(
            outside: [.responseValidation],
            "a response that asks for another credential would be refused before the token is refreshed"
        )
    /// The stage that sends and stores cookies: anywhere below interceptors that send again and above signing.
    public static let cookies = Placement("cookies", inside: [.token], outside: [.chaos])
        .consequence(
            outside: [.redirect],
            "a redirected request would carry the cookies of the first target, and those set on the way "
                + "would be lost"
        )
        .consequence(
            outside: repeating + [.token],
            "a repeated request would carry the cookies of the first attempt, and those set by answers "
                + "that are not delivered would be lost"
        )
    /// The stage that tells the server in each attempt how much time is left.
    public static let deadlineField = Placement(
        "deadline field",
        inside: [.attemptTimeout],
        outside: [.compression]
    )
    .consequence("the server would be told of time that is over when the attempt is sent")
    /// The stage that encodes and digests the body as it will be sent.
    public static let compression = Placement(
        "compression",
        inside: [.attemptTelemetry],
        outside: [.chaos],
        freezesInput: true
    )
    .consequence("the body would be changed after it was encoded and digested")
    /// The stage that signs, as the last change to a request.
    public static let signing = Placement(
        "signing",
        inside: [.cookies, .compression],
        outside: [.chaos],
        freezesInput: true
    )
    .consequence("the request would be changed after it was signed")
    .consequence(
        outside: repeating,
        "a retried request would carry the first attempt's signature and date"
    )
    .consequence(
        outside: [.redirect],
        "a redirected request would carry a signature made for another target"
    )
    .consequence(
        outside: [.token],
        "the credential would be added after the signature and not be covered by it"
    )
    .consequence(
        outside: [.compression],
        "the signature would be over another body than the one that is sent"
    )
    /// The stage that responds in place of the network, just above the transport.
    public static let localResponse = Placement("local response", inside: [.chaos])
        .consequence("requests with a local response would never reach it")
}
