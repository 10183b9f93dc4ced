// The stages for any input, outermost first. Each states the stages outside it; a stage added between two of them also
// states the stages inside it.
extension Placement {
    /// Makes one span and one log record for a call, including rejected calls.
    public static let callTelemetry = Placement("call telemetry")
    /// Takes over the caller's deadline, anywhere above the time limits.
    public static let callerDeadline = Placement("caller's deadline")
    /// Returns a fallback in place of a failure.
    public static let fallback = Placement("fallback", inside: [.callTelemetry])
    /// Limits the time of the whole call, including waits.
    public static let totalTimeout = Placement(
        "total timeout",
        inside: [.callerDeadline, .fallback]
    )
    .consequence(
        outside: [.callerDeadline],
        "the time limit would not know of a caller who waits for less"
    )
    /// Gives one permit to each logical call.
    public static let concurrencyLimit = Placement("concurrency limit", inside: [.totalTimeout])
    /// Shares one send among identical calls.
    public static let coalescing = Placement("coalescing", inside: [.concurrencyLimit])
    /// Retries failed attempts.
    public static let retry = repeating("retry")
    /// Races a slow attempt against another.
    public static let hedge = repeating("hedge")
    /// Rejects attempts to an authority that keeps failing.
    public static let circuitBreaker = Placement("circuit breaker", inside: [.retry, .hedge])
        .consequence(
            outside: [.retry, .hedge],
            "the breaker would see one outcome for all attempts and open too late"
        )
    /// Admits attempts at the rate and concurrency that the server accepts.
    public static let rateLimit = Placement("rate limit", inside: [.circuitBreaker])
    /// Limits the time of one attempt.
    public static let attemptTimeout = Placement("attempt timeout", inside: [.rateLimit])
        .consequence(
            outside: [.retry, .hedge],
            "one attempt's time limit would cover all attempts and the waits between them"
        )
    /// Makes one span for a send.
    public static let attemptTelemetry = Placement("attempt telemetry", inside: [.attemptTimeout])
    /// Simulates network faults.
    public static let chaos = Placement("chaos", inside: [.attemptTelemetry], freezesInput: true)
        .consequence("injected faults would bypass what handles the network's")

    private static func repeating(_ name: String) -> Placement {
        Placement(name, inside: [.coalescing], repeats: true)
            .consequence(
                outside: [.totalTimeout],
                "the total time limit would start again with each attempt"
            )
            .consequence(
                outside: [.fallback],
                "the retry would see mapped errors instead of the responses behind them"
            )
            .consequence(
                outside: [.concurrencyLimit],
                "a call would queue for a permit again with each attempt"
            )
    }
}
