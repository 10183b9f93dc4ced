/// Makes each call part of the call that it serves: with no later deadline and in the same trace.
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
/// The served call is ``Call/parentCall`` if it is set, and otherwise the current task's ``Call/served``. Without
/// either, nothing changes. If the served call has another clock, such as a test's, its remaining time counts.
///
/// The trace is that of the served call, unless the call has its own. A ``TraceContextInterceptor`` below sends it.
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
    /// The call that this one serves, set by its caller; `nil`, the default, uses ``served``.
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
