/// A hint from the server about its rate limit.
public enum RateHint: Sendable, Hashable {
    /// Send no calls for a duration.
    case pause(Duration)
    /// Send at most this number of calls until the window resets.
    case quota(remaining: Int, resetsIn: Duration)
}
