import InterceptorKit

/// The delay before the next connection, as a value without a clock.
struct ReconnectionDelay: Sendable {
    private let backoff: Backoff
    private let minimumInterval: Duration
    // The number of connections that ended since the last event.
    private var failures = 0

    init(_ options: HTTP.EventSourceOptions) {
        backoff = options.backoff
        minimumInterval = options.minimumInterval
    }

    /// Resets the delay, because an event has arrived.
    mutating func reset() { failures = 0 }

    /// Returns the delay after a connection has ended.
    /// - Parameters:
    ///   - retry: The delay that the stream set.
    ///   - retryAfter: The delay that a response or error set.
    ///   - fraction: The random fraction for the jitter, from 0 up to 1.
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
