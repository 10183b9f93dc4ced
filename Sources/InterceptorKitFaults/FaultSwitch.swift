public import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

/// A switch that turns on the faults of ``FaultInjectionInterceptor``s for a limited time. It is off at first.
///
/// Pass it to the code that runs the experiment, such as the handler of an internal route.
public final class FaultSwitch: Sendable {
    private let end = Lock<Runtime.Instant?>(nil)

    /// Creates a switch that is off.
    public init() {}

    /// Turns the faults on for a limited time, so that a forgotten experiment ends.
    /// - Parameters:
    ///   - time: The time after which the faults are off.
    ///   - runtime: The clock. Defaults to the live one; use that of the calls.
    public func turnOn(for time: Duration, on runtime: Runtime = .live) {
        let instant = runtime.now.advanced(by: time)
        end.withLock { $0 = instant }
    }

    /// Turns the faults off.
    public func turnOff() { end.withLock { $0 = nil } }

    /// Returns whether the faults are on.
    /// - Parameter runtime: The clock. Defaults to the live one; use that of the calls.
    public func isOn(on runtime: Runtime = .live) -> Bool {
        guard let end = end.withLock({ $0 }) else { return false }
        return runtime.now < end
    }
}
