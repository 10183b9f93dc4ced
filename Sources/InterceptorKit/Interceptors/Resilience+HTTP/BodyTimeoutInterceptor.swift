/// Gives a response's body up when it stalls or drips.
///
/// A time limit for attempts ends with the response's head. A body may take as long as it needs, as long
/// as it arrives, and not byte by byte forever: only the time its reader waits counts, so a slow reader is
/// not a stalled server. The reader of a body that is given up gets a ``TimeoutError``, and the connection
/// is released.
///
/// | limit | over when | ``TimeoutError/Code`` |
/// |---|---|---|
/// | idle | no byte came for so long | `bodyIdle` |
/// | minimum rate | the reader's patience is used up: it lasts as long as the idle limit, waiting takes from it, and each byte gives back the time that it may take at this rate | `bodyRate` |
/// | total | the reader has waited so long in all | `bodyTotal` |
///
/// A rate is not asked of what may never end by what it states to be (`text/event-stream`,
/// `multipart/x-mixed-replace`), nor a total, and not of downloads: silence is their measure. For other
/// streams that may drip, as watches and long polls, a call leaves it out with
/// ``Call/minimumBodyRate``.
public struct BodyTimeoutInterceptor: Interceptor {
    private let limits: BodyLimits

    /// Creates an interceptor.
    /// - Parameters:
    ///   - idle: How long a reader waits for a byte. Defaults to 20 s, the grace of AWS's stalled
    ///     stream protection.
    ///   - minimumRate: How many bytes have to come in a second, measured over the time of `idle`; for one
    ///     call, see ``Call/minimumBodyRate``. Defaults to 240, as in ASP.NET Core's Kestrel
    ///     (`MinRequestBodyDataRate`); `nil` means any number.
    ///   - total: How long a reader waits for all of a body; for one call, see
    ///     ``Call/totalBodyTimeout``. Defaults to no limit.
    public init(
        idle: Duration = .seconds(20),
        minimumRate: Int? = 240,
        total: Duration? = nil
    ) {
        limits = BodyLimits(idle: idle, minimumRate: minimumRate, total: total)
    }

    public var placement: Placement? { .attemptTimeout }

    public func validate() throws { try limits.validate() }

    public nonisolated(nonsending) func intercept(
        chain: InterceptorChain<HTTP.Request>
    ) async throws -> HTTP.Response {
        var response = try await chain.proceed()
        let limits = limits(for: response, of: chain.call)
        response.body = response.body.watched(limits, chain.call, by: "BodyTimeoutInterceptor")
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
        return limits
    }
}

extension BodyTimeoutInterceptor: CustomStringConvertible {
    /// As in `BodyTimeoutInterceptor(idle: 20 s, minimumRate: 240 bytes/s)`.
    public var description: String { "BodyTimeoutInterceptor(\(limits))" }
}

extension HTTP.Body {
    /// The body, given up when a reader has waited for it too long.
    fileprivate func watched(_ limits: BodyLimits, _ call: Call, by watcher: String) -> HTTP.Body {
        // What is in memory or in a file cannot stall.
        guard !isReplayable else { return self }
        return wrapping { TimeoutStream($0, limits, call, by: watcher) }
    }

    /// The body, given up when its reader has waited for a time in all; for an interceptor that reads the
    /// response to a request of its own, over a chain that may have no limit for bodies.
    ///
    /// Its reader gets a ``TimeoutError``. A body in memory or in a file is not limited.
    /// - Parameters:
    ///   - total: How long the reader may wait, the time between its reads not counted.
    ///   - call: The call it belongs to.
    ///   - watcher: The source of the event that reports it.
    public func limited(to total: Duration, of call: Call, by watcher: String) -> HTTP.Body {
        watched(BodyLimits(idle: total, total: total), call, by: watcher)
    }
}
