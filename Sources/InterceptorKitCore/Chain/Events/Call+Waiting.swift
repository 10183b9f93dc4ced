extension Call {
    /// Begins a wait for something other than time. The wait is an activity, and a simulation that is stuck lists it.
    ///
    /// For a wait for time only, use ``activity(_:_:from:_:_:)``.
    /// - Parameters:
    ///   - what: The object of the wait, as in `a permit`.
    ///   - source: The part that waits. Defaults as in ``emit(_:from:_:)``.
    /// - Returns: The wait. End it once, whatever its result.
    public func beginWait(
        for what: @escaping @autoclosure @Sendable () -> String,
        from source: @autoclosure () -> String? = nil
    ) -> Runtime.Wait {
        let wait = runtime.beginWait("waits for \(what())")
        guard isObserved else { return wait ?? Runtime.Wait {} }
        let activity = begin(.wait, what(), from: source()).activity
        return Runtime.Wait {
            wait?.end()
            end(activity, .completed)
        }
    }
}
