/// An output that can say that it stands in for one that could not be had.
///
/// Whoever answers in place of a failure says so here. Outputs that do not conform pass untouched.
public protocol FallbackMarked: Sendable {
    /// Why it stands in, as in `503 Service Unavailable`; `nil` for an output of the other side's own.
    var fallbackReason: String? { get set }
}
