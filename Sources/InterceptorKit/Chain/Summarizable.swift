/// An output that can say in a few words, and without secrets, what it is.
///
/// Events show it where a stage is left.
public protocol Summarizable: Sendable {
    /// A few words, as in `503 Service Unavailable`.
    var summary: String { get }
}
