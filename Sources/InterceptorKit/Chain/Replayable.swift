/// An input that may be one that can be sent only once.
///
/// Inputs that do not conform can be sent any number of times.
public protocol Replayable: Sendable {
    /// Whether it can be sent more than once.
    var isReplayable: Bool { get }
}
