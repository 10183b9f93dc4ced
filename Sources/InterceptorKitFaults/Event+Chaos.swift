public import InterceptorKit

extension Event.Name {
    /// A fault was injected: `fault`, and `delay` for a latency.
    public static let faultInjected: Self = "chaos.injected"
}
