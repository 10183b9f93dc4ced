/// A wait of a call, until ``end()``.
public struct CallWait: Sendable {
    fileprivate let runtime: Runtime.Wait?
    fileprivate let event: (call: Call, activity: Event.Activity)?

    /// Ends the wait, whatever its result. Call it once.
    public func end() {
        runtime?.end()
        if let event { event.call.end(event.activity, .completed) }
    }
}

extension Call {
    /// Begins a wait for something other than time. It is reported as an activity, and a simulation that
    /// cannot go on lists it.
    ///
    /// To wait only for time, use ``activity(_:_:from:_:_:)``.
    /// - Parameters:
    ///   - what: The thing waited for, as in `a permit`.
    ///   - source: The part that makes it wait. Defaults as in ``emit(_:from:_:)``.
    /// - Returns: The wait, which you end.
    public func beginWait(
        for what: @escaping @autoclosure @Sendable () -> String,
        from source: @autoclosure () -> String? = nil
    ) -> CallWait {
        let wait = runtime.beginWait("waits for \(what())")
        guard isObserved else { return CallWait(runtime: wait, event: nil) }
        return CallWait(runtime: wait, event: (self, begin(.wait, what(), from: source()).activity))
    }
}
