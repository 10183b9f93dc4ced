/// Receives what happens to calls.
///
/// A sink is called on the call's own path, possibly by many calls at once: take note and return. It
/// cannot fail a call and must not block one.
public protocol EventSink: Sendable {
    /// Takes note of an event.
    func record(_ event: Event)
}

extension Call {
    /// Reports something that happened to this call. Without a sink nothing is evaluated.
    /// - Parameters:
    ///   - name: What happened.
    ///   - source: The interceptor or transport that says so.
    ///   - attributes: More about it. Nothing secret belongs here.
    public func emit(
        _ name: Event.Name,
        from source: @autoclosure () -> String,
        _ attributes: @autoclosure () -> [String: Event.Value] = [:]
    ) {
        guard let events else { return }
        events.record(
            Event(
                name: name,
                source: source(),
                call: id,
                attempt: attempt,
                instant: runtime.now,
                attributes: attributes()
            )
        )
    }
}
