/// A wait of a call, which lasts until ``end()``.
public struct CallWait: Sendable {
    fileprivate let runtime: Runtime.Wait?
    fileprivate let event: (call: Call, activity: Event.Activity, source: String)?

    /// Ends the wait, whatever its result. Call it once.
    public func end() {
        runtime?.end()
        if let event { event.call.end(event.activity, .completed, from: event.source) }
    }
}

extension Call {
    /// Begins a wait for something other than time. It is an activity, and a simulation that is stuck lists it.
    ///
    /// For a wait for time only, use ``activity(_:_:from:_:_:)``.
    /// - Parameters:
    ///   - what: The object of the wait, as in `a permit`.
    ///   - source: The interceptor or transport that waits.
    /// - Returns: The wait, which you must end.
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
