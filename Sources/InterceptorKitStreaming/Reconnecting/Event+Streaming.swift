public import InterceptorKit

extension Event.Name {
    /// An event source connects again: `connection` counts from 1.
    public static let eventSourceReconnected: Self = "event_source.reconnected"
}
