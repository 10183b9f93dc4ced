/// Limits the time of a whole call, or of each attempt.
///
/// ```swift
/// TimeoutInterceptor(total: .seconds(30))
/// RetryInterceptor(policy: .standard)
/// TimeoutInterceptor(attempt: .seconds(10))
/// ```
///
/// When the time is over, the stages below are cancelled and awaited, and a ``TimeoutError`` is thrown, so no work
/// outlasts the call. The timeout of an attempt is transient; that of the whole call isn't. An output that has arrived
/// is returned even if its time was over, and a cancellation by the caller takes precedence over both.
///
/// Stages below see the remaining time as the call's ``Call/deadline``. They run in a child task of this interceptor,
/// because Swift cancels a task only as a whole, and a fallback above must go on afterwards; in the caller's own task if
/// all of them keep the deadline by themselves (``Interceptor/keepsDeadline``). ``Call/totalTimeout`` and
/// ``Call/attemptTimeout`` change the limits of one call.
///
/// If an output keeps arriving, like the body of an HTTP response, both limits end with its first part;
/// `BodyTimeoutInterceptor` limits the rest.
public struct TimeoutInterceptor<Input: Interceptable>: Interceptor {
    private let code: TimeoutError.Code
    private let limit: Duration

    /// Creates an interceptor that limits the whole call: attempts, queues and the waits between them.
    /// - Parameter total: The longest time for a call. Defaults to 30 s, as in Microsoft.Extensions.Http.Resilience.
    ///   The call's own deadline takes precedence if it is nearer.
    public init(total: Duration = .seconds(30)) {
        code = .total
        limit = total
    }

    /// Creates an interceptor that limits each attempt, so that a stuck attempt leaves time for another.
    /// - Parameter attempt: The longest time for an attempt until its response, without the waits between attempts.
    ///   Microsoft.Extensions.Http.Resilience uses 10 s; Amazon's Builders' Library advises the latency that all but
    ///   one in a thousand responses keep.
    public init(attempt: Duration) {
        code = .attempt
        limit = attempt
    }

    public var placement: Placement? { code == .total ? .totalTimeout : .attemptTimeout }

    public var keepsDeadline: Bool { true }

    public func validate() throws {
        try SettingCheck(of: "TimeoutInterceptor").positive("\(code)", limit)
    }

    public nonisolated(nonsending) func intercept(
        chain: InterceptorChain<Input>
    ) async throws -> Input.Output {
        if Task.isCancelled { throw CancellationError() }
        let above = chain.call
        let now = above.runtime.now
        let ownEnd = now.advanced(by: limit(of: above))
        let end = min(ownEnd, above.deadline ?? ownEnd)
        if now < end {
            let call = above.withDeadline(end, isLeft: chain.keepsDeadline)
            if chain.keepsDeadline {
                do {
                    return try await chain.proceed(chain.input, call: call)
                } catch {
                    let timeout = timeout(of: chain, from: now, to: end, ownEnd)
                    throw call.outcome(of: error, isOver: false, timeout)
                }
            }
            return try await proceed(chain, call, from: now, to: end, ownEnd)
        }
        throw timeout(of: chain, from: now, to: end, ownEnd)
    }

    // A function of its own, because a generic one looks up all of its types on entry.
    private nonisolated(nonsending) func proceed(
        _ chain: InterceptorChain<Input>,
        _ call: Call,
        from start: Runtime.Instant,
        to end: Runtime.Instant,
        _ ownEnd: Runtime.Instant
    ) async throws -> Input.Output {
        let (result, isOver) = await TimeLimit.proceed(chain, call: call, until: end)
        guard case .failure(let error) = result else { return try result.get() }
        throw call.outcome(
            of: error,
            isOver: isOver,
            timeout(of: chain, from: start, to: end, ownEnd)
        )
    }
}

extension TimeoutInterceptor {
    private func limit(of call: Call) -> Duration {
        (code == .total ? call.totalTimeout : call.attemptTimeout) ?? limit
    }

    private func timeout(
        of chain: InterceptorChain<Input>,
        from start: Runtime.Instant,
        to end: Runtime.Instant,
        _ ownEnd: Runtime.Instant
    ) -> TimeoutError {
        // A deadline nearer than an attempt's limit belongs to the whole call.
        TimeoutError(
            end == ownEnd ? code : .total,
            limit: start.duration(to: end),
            authority: Input.authority(of: chain.input),
            limitSource: end == ownEnd
                ? source(for: chain.call)
                : "the call's deadline, as its client's timeout or its caller sets it"
        )
    }

    private func source(for call: Call) -> String {
        let isSetByCall = (code == .total ? call.totalTimeout : call.attemptTimeout) != nil
        return isSetByCall ? "Call.\(code)Timeout" : "TimeoutInterceptor(\(code):)"
    }
}

extension TimeoutInterceptor: CustomStringConvertible {
    /// The interceptor as text, as in `TimeoutInterceptor(total: 30 s)`.
    public var description: String { "TimeoutInterceptor(\(code): \(limit.formattedSeconds))" }
}

extension Call {
    /// Returns the error that the caller gets for failed work whose time may have been over.
    package func outcome(
        of error: any Error,
        isOver: Bool,
        _ timeout: TimeoutError,
        from source: String? = nil
    ) -> any Error {
        let late = error as? LateError
        let (error, isOver) = (late?.cause ?? error, isOver || late != nil)
        // Code further below with the same deadline may have thrown first.
        let inner = error as? TimeoutError
        let isFromBelow =
            inner?.code == timeout.code || (error as? TransportError)?.code == .timedOut
        guard isOver || (isFromBelow && remaining == .zero) else { return error }
        if Task.isCancelled { return CancellationError() }
        if let inner, inner.code == timeout.code {
            return timeout.caused(by: inner.cause, after: inner)
        }
        emit(
            .timedOut,
            from: source,
            ["limit": .duration(timeout.limit), "code": .text(timeout.code.description)]
        )
        let cause = error is CancellationError ? nil : error
        return timeout.caused(by: cause, after: cause as? any AttemptHistory)
    }
}

extension Event.Name {
    /// A time limit cancelled work: `code`, `limit`.
    public static let timedOut: Self = "timeout.ended"
}

private enum TotalTimeout: CallKey {
    static let defaultValue: Duration? = nil
}

private enum AttemptTimeout: CallKey {
    static let defaultValue: Duration? = nil
}

extension Call {
    /// The total timeout of this call, in place of that of the client and of a ``TimeoutInterceptor``. Defaults to
    /// `nil`, which uses those. A nearer deadline of the call still takes precedence.
    public var totalTimeout: Duration? {
        get { self[TotalTimeout.self] }
        set { if newValue != nil || totalTimeout != nil { self[TotalTimeout.self] = newValue } }
    }

    /// The timeout of each attempt of this call, in place of that of a ``TimeoutInterceptor``. Defaults to `nil`, which
    /// uses the interceptor's.
    public var attemptTimeout: Duration? {
        get { self[AttemptTimeout.self] }
        set { self[AttemptTimeout.self] = newValue }
    }
}
