/// Makes each call part of the one on whose behalf it is made: it is over no later, and continues the
/// same trace.
///
/// ```swift
/// let prices = try HTTP.Client(transport: transport) {
///     ServedCallInterceptor()
///     RetryInterceptor(policy: .standard)
///     DeadlineFieldInterceptor(.milliseconds("X-Request-Timeout-Ms"))
///     TraceContextInterceptor()
/// }
/// ```
///
/// The call that is served is ``Call/parentCall`` where it was handed over, and otherwise the current
/// task's ``Call/served``. Without either nothing changes. What is served on another clock, as a test's,
/// is followed by the time it has left.
///
/// The trace is that of the call that is served unless the call has one of its own. A
/// ``TraceContextInterceptor`` below writes it.
public struct ServedCallInterceptor<Input: Interceptable>: Interceptor {
    /// Creates an interceptor.
    public init() {}

    public var placement: Placement? { .callerDeadline }

    public nonisolated(nonsending) func intercept(
        chain: InterceptorChain<Input>
    ) async throws -> Input.Output {
        guard let served = chain.call.parentCall ?? Call.served else {
            return try await chain.proceed()
        }
        var call = chain.call
        if let remaining = served.remaining { call = call.withDeadline(within: remaining) }
        if call.traceContext == nil { call.traceContext = served.traceContext }
        return try await chain.proceed(chain.input, call: call)
    }
}

private enum ParentCallKey: CallKey {
    static let defaultValue: Call? = nil
}

extension Call {
    /// The call on whose behalf this one is made, handed over by anyone who makes it; `nil`, the default,
    /// leaves it to ``served``.
    ///
    /// ```swift
    /// let response = try await prices.send(.get("/prices/7")) { call in
    ///     call.parentCall = context.serving.call
    /// }
    /// ```
    public var parentCall: Call? {
        get { self[ParentCallKey.self] }
        set { self[ParentCallKey.self] = newValue }
    }
}
