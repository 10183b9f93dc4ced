/// An input that can tell whether it can be sent more than once.
///
/// Inputs that don't conform can be sent any number of times.
public protocol Replayable: Sendable {
    /// Whether this input can be sent more than once.
    var isReplayable: Bool { get }
}
