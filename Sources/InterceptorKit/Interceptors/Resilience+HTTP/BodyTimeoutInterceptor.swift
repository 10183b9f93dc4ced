/// Ends a response body that stalls or arrives too slowly.
///
/// An attempt's time limit ends with the response's head. A body may take any time if it keeps arriving, but not byte
/// by byte forever. Only the time that its reader waits counts, so a slow reader doesn't look like a stalled server.
/// The reader of an ended body gets a ``TimeoutError``, and the connection is released.
///
/// | limit | over when | ``TimeoutError/Code`` |
/// |---|---|---|
/// | idle | no byte arrives for this time | `bodyIdle` |
/// | minimum rate | the reader has used up its waiting time: the idle limit, plus the time that each byte may take at this rate | `bodyRate` |
/// | total | the reader's waits reach this sum | `bodyTotal` |
///
/// Responses whose type allows them to be endless (`text/event-stream`, `multipart/x-mixed-replace`) and downloads have
/// no rate limit and no total limit: only silence counts. For other slow streams, such as watches and long polls, turn
/// the rate off with ``Call/minimumBodyRate``.
public struct BodyTimeoutInterceptor: Interceptor {
    private let limits: BodyLimits

    /// Creates an interceptor.
    /// - Parameters:
    ///   - idle: The longest wait of a reader for a byte; for one call, see ``Call/bodyIdleTimeout``. Defaults to 20 s,
    ///     the grace of AWS's stalled stream protection.
    ///   - minimumRate: The minimum number of bytes per second, measured over the time of `idle`; for one call, see
    ///     ``Call/minimumBodyRate``. Defaults to 240, as in ASP.NET Core's Kestrel (`MinRequestBodyDataRate`); `nil`
    ///     means no minimum.
    ///   - total: The longest wait of a reader for a whole body; for one call, see ``Call/totalBodyTimeout``. Defaults
    ///     to no limit.
    public init(
        idle: Duration = .seconds(20),
        minimumRate: Int? = 240,
        total: Duration? = nil
    ) {
        limits = BodyLimits(idle: idle, minimumRate: minimumRate, total: total)
    }

    public var placement: Placement? { .attemptTimeout }

    public var keepsDeadline: Bool { true }

    public func validate() throws { try limits.validate() }

    public nonisolated(nonsending) func intercept(
        chain: InterceptorChain<HTTP.Request>
    ) async throws -> HTTP.Response {
        let response = try await chain.proceed()
        // Nearly every body has arrived with its head.
        return response.body.isOpen ? watching(response, chain) : response
    }

    // A function of its own, because an asynchronous one takes room for all that it may do.
    @inline(never)
    private func watching(
        _ response: consuming HTTP.Response,
        _ chain: InterceptorChain<HTTP.Request>
    ) -> HTTP.Response {
        let limits = limits(for: response, of: chain.call)
        response.body = response.body.watched(
            limits,
            chain.call,
            by: "BodyTimeoutInterceptor",
            from: chain.input.authority
        )
        return response
    }

    private func limits(for response: HTTP.Response, of call: Call) -> BodyLimits {
        var limits = limits
        if response.isEndless {
            limits.minimumRate = nil
            limits.total = nil
        }
        if let rate = call.minimumBodyRate { limits.minimumRate = rate > 0 ? rate : nil }
        if let total = call.totalBodyTimeout { limits.total = total }
        if let idle = call.bodyIdleTimeout { limits.idle = idle }
        return limits
    }
}

extension BodyTimeoutInterceptor: CustomStringConvertible {
    /// The interceptor as text, as in `BodyTimeoutInterceptor(idle: 20 s, minimumRate: 240 bytes/s)`.
    public var description: String { "BodyTimeoutInterceptor(\(limits))" }
}

extension HTTP.Body {
    /// Returns the body with limits for its reader's waits.
    fileprivate func watched(
        _ limits: BodyLimits,
        _ call: Call,
        by watcher: String,
        from authority: String? = nil
    ) -> HTTP.Body {
        // A body in memory or in a file cannot stall.
        guard isOpen else { return self }
        return wrapping { TimeoutStream($0, limits, call, by: watcher, from: authority) }
    }

    /// Returns the body with a limit for its reader's total wait. Use it in an interceptor that reads the response to
    /// its own request, over a chain that may have no limit for bodies.
    ///
    /// The reader gets a ``TimeoutError``. A body in memory or in a file is not limited.
    /// - Parameters:
    ///   - total: The longest total wait of the reader; time between its reads does not count.
    ///   - call: The call of the body.
    ///   - watcher: The source of the event for a timeout.
    public func limited(to total: Duration, of call: Call, by watcher: String) -> HTTP.Body {
        watched(BodyLimits(idle: total, total: total), call, by: watcher)
    }

    /// Returns the body with a limit for its reader's wait for a byte, like that of a ``BodyTimeoutInterceptor``.
    ///
    /// The reader gets a ``TimeoutError``. A body in memory or in a file is not limited.
    /// - Parameters:
    ///   - idle: The longest wait of the reader for a byte.
    ///   - call: The call of the body.
    ///   - watcher: The source of the event for a timeout.
    public func limited(toSilenceOf idle: Duration, of call: Call, by watcher: String) -> HTTP.Body
    {
        watched(BodyLimits(idle: idle), call, by: watcher)
    }
}

private enum MinimumBodyRate: CallKey {
    static let defaultValue: Int? = nil
}

private enum TotalBodyTimeout: CallKey {
    static let defaultValue: Duration? = nil
}

private enum BodyIdleTimeout: CallKey {
    static let defaultValue: Duration? = nil
}

extension Call {
    /// The longest silence of this call's response body, in place of a ``BodyTimeoutInterceptor``'s; `nil`, the
    /// default, uses the interceptor's.
    public var bodyIdleTimeout: Duration? {
        get { self[BodyIdleTimeout.self] }
        set { self[BodyIdleTimeout.self] = newValue }
    }

    /// The minimum rate of this call's response body in bytes per second, in place of a
    /// ``BodyTimeoutInterceptor``'s; 0 means no minimum, and `nil`, the default, uses the interceptor's.
    ///
    /// Set it to 0 for a response that may be slow for a long time, such as that of a watch or a long poll.
    public var minimumBodyRate: Int? {
        get { self[MinimumBodyRate.self] }
        set { self[MinimumBodyRate.self] = newValue }
    }

    /// The longest total wait for this call's response body, in place of a ``BodyTimeoutInterceptor``'s; `nil`, the
    /// default, uses the interceptor's.
    public var totalBodyTimeout: Duration? {
        get { self[TotalBodyTimeout.self] }
        set { self[TotalBodyTimeout.self] = newValue }
    }
}
