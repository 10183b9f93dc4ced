import InterceptorKit

/// How long to wait before the next connection; a value without a clock.
struct ReconnectionDelay: Sendable {
    private let backoff: Backoff
    private let minimumInterval: Duration
    // Connections that ended since an event arrived.
    private var failures = 0

    init(_ options: HTTP.EventSourceOptions) {
        backoff = options.backoff
        minimumInterval = options.minimumInterval
    }

    /// Begins from the first wait, since an event has arrived.
    mutating func reset() { failures = 0 }

    /// The wait after a connection has ended.
    /// - Parameters:
    ///   - retry: What the stream asked for.
    ///   - retryAfter: What a response or error asked for.
    ///   - fraction: From 0 up to 1, for the jitter.
    ///   - elapsed: The time since the connection began.
    mutating func next(
        retry: Duration?,
        retryAfter: Duration?,
        fraction: Double,
        elapsed: Duration
    ) -> Duration {
        failures += 1
        var delay = retry ?? .zero
        if retry == nil || failures > 1 {
            delay = max(delay, backoff.delay(after: failures, fraction: fraction))
        }
        return max(delay, retryAfter ?? .zero, minimumInterval - elapsed)
    }
}
