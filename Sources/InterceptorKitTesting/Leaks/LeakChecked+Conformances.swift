public import InterceptorKitLoopback

extension Gate: LeakChecked {
    /// The number of held requests.
    public var leaks: [String] { held == 0 ? [] : ["\(held) held at the gate \"\(name)\""] }
}

extension VirtualClock: LeakChecked {
    /// The sleeping tasks and when they wake.
    public var leaks: [String] { sleepers }
}

extension Simulation: LeakChecked {
    /// The tasks, waits and sleeps that have not ended, including those of the body while it runs.
    public var leaks: [String] { pending }
}
