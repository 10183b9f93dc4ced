/// Limits the time of a whole call, or of each attempt.
///
/// ```swift
/// TimeoutInterceptor(total: .seconds(30))
/// RetryInterceptor(policy: .standard)
/// TimeoutInterceptor(attempt: .seconds(10))
/// ```
///
/// When the time is over, what runs below is cancelled and awaited, and a ``TimeoutError`` is thrown:
/// no work outlasts the call. The timeout of an attempt counts as transient, and that of the whole call
/// doesn't. An output that arrived is returned even if its time was over, and a cancellation by the caller
/// takes precedence over both.
///
/// What runs below sees the time that is left as the call's ``Call/deadline``, and runs in a child task.
/// One call's limits are changed by ``Call/totalTimeout`` and ``Call/attemptTimeout``.
///
/// Where an output goes on arriving, as the body of an HTTP response, both limits end with its first part;
/// `BodyTimeoutInterceptor` watches what follows.
public struct TimeoutInterceptor<Input: Interceptable>: Interceptor {
    private let code: TimeoutError.Code
    private let limit: Duration

    /// Creates an interceptor that limits the whole call: attempts, queues and the waits between them.
    /// - Parameter total: How long a call may take. Defaults to 30 s, as in
    ///   Microsoft.Extensions.Http.Resilience. A deadline of the call's own that is nearer counts.
    public init(total: Duration = .seconds(30)) {
        code = .total
        limit = total
    }

    /// Creates an interceptor that limits each attempt, so that a stuck one leaves time for another.
    /// - Parameter attempt: How long an attempt may take until its response; waits between attempts do not
    ///   count. 10 s in Microsoft.Extensions.Http.Resilience; Amazon's Builders' Library advises the
    ///   latency that all but one in a thousand responses keep.
    public init(attempt: Duration) {
        code = .attempt
        limit = attempt
    }

    public var placement: Placement? { code == .total ? .totalTimeout : .attemptTimeout }

    public func validate() throws {
        try SettingCheck(of: "TimeoutInterceptor").positive("\(code)", limit)
    }

    public nonisolated(nonsending) func intercept(
        chain: InterceptorChain<Input>
    ) async throws -> Input.Output {
        try Task.checkCancellation()
        let now = chain.call.runtime.now
        let ownEnd = now.advanced(by: limit(of: chain.call))
        let call = chain.call.withDeadline(ownEnd)
        let instant = call.deadline ?? ownEnd
        // A deadline nearer than an attempt's limit is the whole call's.
        let timeout = TimeoutError(
            instant == ownEnd ? code : .total,
            limit: now.duration(to: instant)
        )
        guard now < instant else { throw timeout }
        let (result, isOver) = await TimeLimit.proceed(chain, call: call, until: instant)
        guard case .failure(let error) = result else { return try result.get() }
        throw call.outcome(of: error, isOver: isOver, timeout)
    }
}

extension TimeoutInterceptor {
    private func limit(of call: Call) -> Duration {
        (code == .total ? call.totalTimeout : call.attemptTimeout) ?? limit
    }
}

extension TimeoutInterceptor: CustomStringConvertible {
    /// As in `TimeoutInterceptor(total: 30 s)`.
    public var description: String { "TimeoutInterceptor(\(code): \(limit.formattedSeconds))" }
}

extension Call {
    /// What the caller is told of work that failed when its time may have been over.
    fileprivate func outcome(
        of error: any Error,
        isOver: Bool,
        _ timeout: TimeoutError
    ) -> any Error {
        // Code that watches the same deadline further below may have been first.
        let inner = error as? TimeoutError
        let isFromBelow =
            inner?.code == timeout.code || (error as? TransportError)?.code == .timedOut
        guard isOver || (isFromBelow && remaining == .zero) else { return error }
        if Task.isCancelled { return CancellationError() }
        if let inner, inner.code == timeout.code {
            var timeout = timeout
            timeout.attempts = inner.attempts
            return timeout
        }
        emit(
            .timedOut,
            from: "TimeoutInterceptor",
            ["limit": .duration(timeout.limit), "code": .text(timeout.code.description)]
        )
        let cause = error is CancellationError ? nil : error
        return TimeoutError(timeout.code, limit: timeout.limit, cause: cause)
    }
}
