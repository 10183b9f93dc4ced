/// A wait of a call, until ``end()``.
public struct CallWait: Sendable {
    fileprivate let runtime: Runtime.Wait?
    fileprivate let event: (call: Call, activity: Event.Activity, source: String)?

    /// Says that the wait is over, whatever came of it. Called once.
    public func end() {
        runtime?.end()
        if let event { event.call.end(event.activity, .completed, from: event.source) }
    }
}

extension Call {
    /// Says that this call waits for something that is not time: reported as an activity, and listed by a
    /// simulation in which nothing can run any more.
    ///
    /// Who only lets time pass uses ``activity(_:_:from:_:_:)``.
    /// - Parameters:
    ///   - what: What is waited for, as in `a permit`.
    ///   - source: The interceptor or transport that makes it wait.
    /// - Returns: The wait, to be ended.
    public func beginWait(
        for what: @escaping @autoclosure @Sendable () -> String,
        from source: @autoclosure () -> String
    ) -> CallWait {
        let wait = runtime.beginWait("waits for \(what())")
        guard isObserved else { return CallWait(runtime: wait, event: nil) }
        let source = source()
        let activity = begin(.wait, what(), from: source).activity
        return CallWait(runtime: wait, event: (self, activity, source))
    }
}
