/// What the other side says about how much it may be asked.
public enum RateAdvice: Sendable, Hashable {
    /// Nothing for a while.
    case pause(Duration)
    /// So many calls, until so much time has passed.
    case quota(remaining: Int, resetsIn: Duration)
}
