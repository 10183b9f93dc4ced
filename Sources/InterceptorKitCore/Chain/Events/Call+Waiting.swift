extension Call {
    /// Begins a wait for something other than time. It is reported as an activity, and a simulation that
    /// cannot go on lists it.
    ///
    /// To wait only for time, use ``activity(_:_:from:_:_:)``.
    /// - Parameters:
    ///   - what: The thing waited for, as in `a permit`.
    ///   - source: The interceptor or transport that makes it wait.
    /// - Returns: The wait, which you end once, whatever its result.
    public func beginWait(
        for what: @escaping @autoclosure @Sendable () -> String,
        from source: @autoclosure () -> String
    ) -> Runtime.Wait {
        let wait = runtime.beginWait("waits for \(what())")
        guard isObserved else { return wait ?? Runtime.Wait {} }
        let source = source()
        let activity = begin(.wait, what(), from: source).activity
        return Runtime.Wait {
            wait?.end()
            end(activity, .completed, from: source)
        }
    }
}
