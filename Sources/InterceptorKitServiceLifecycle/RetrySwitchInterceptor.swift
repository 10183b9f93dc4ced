#if ServiceLifecycle
public import InterceptorKit

/// Stops second and later attempts once a switch is off.
///
/// Put it inside the retry or hedge whose attempts it stops; outside, it would only see the first attempt. A call that
/// was about to be sent again ends with a `LimitError `with the code`shuttingDown `. An immediate resend of an attempt that was returned
/// unprocessed is the same attempt, and passes.
public struct RetrySwitchInterceptor: Interceptor {
    private let retries: RetrySwitch

    /// Creates an interceptor.
    /// - Parameter retries: The switch.
    public init(_ retries: RetrySwitch) { self.retries = retries }

    /// Just inside the retry or hedge.
    public var placement: Placement? { .retrySwitch }

    public nonisolated(nonsending) func intercept(
        chain: InterceptorChain<HTTP.Request>
    ) async throws -> HTTP.Response {
        guard chain.call.attempt == 1 || retries.isOn else { throw LimitError.notSentAgain }
        return try await chain.proceed()
    }
}

extension LimitError {
    fileprivate static let notSentAgain = LimitError(
        .shuttingDown,
        nil,
        "An attempt failed, and no other is made because the program is shutting down. Let another "
            + "instance make the call again."
    )
}

extension Placement {
    fileprivate static let retrySwitch = Placement(
        "retry switch",
        inside: [.retry, .hedge],
        outside: [.circuitBreaker]
    )
    .consequence(
        outside: [.retry, .hedge],
        "it would see one attempt of each call, and never stop another"
    )
}
#endif
