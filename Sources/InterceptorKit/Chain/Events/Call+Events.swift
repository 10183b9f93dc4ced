/// The activity that a passage stands in, and what it says of those below.
struct ActivityContext: Sendable {
    let activity: Event.Activity
    let attempt: Int
    // Each passage right below is an attempt of its own.
    let makesAttempts: Bool
}

extension Call {
    private enum CurrentActivity: CallKey {
        static let defaultValue: ActivityContext? = nil
    }

    var activityContext: ActivityContext? {
        get { self[CurrentActivity.self] }
        set { self[CurrentActivity.self] = newValue }
    }

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
                phase: .moment,
                activity: activityContext?.activity,
                source: source(),
                call: id,
                attempt: attempt,
                instant: runtime.now,
                attributes: attributes()
            )
        )
    }

    /// Does something that takes time as an activity of this call: its beginning is reported before,
    /// its end after, also if it throws. Without a sink it is merely done.
    ///
    /// ```swift
    /// try await call.activity(.wait, "a free seat", from: "SeatInterceptor") { _ in
    ///     try await seats.take()
    /// }
    /// ```
    /// - Parameters:
    ///   - kind: What sort of activity it is.
    ///   - name: What is done, or waited for, in a few words.
    ///   - source: The interceptor or transport that says so.
    ///   - attributes: More about it. Nothing secret belongs here.
    ///   - work: Is given this call as the activity sees it; what it reports, and what is passed on
    ///     with it, is part of the activity.
    public nonisolated(nonsending) func activity<Result>(
        _ kind: Event.Activity.Kind,
        _ name: @autoclosure () -> String,
        from source: @autoclosure () -> String,
        _ attributes: @autoclosure () -> [String: Event.Value] = [:],
        _ work: nonisolated(nonsending) (_ call: Call) async throws -> Result
    ) async throws -> Result {
        guard events != nil else { return try await work(self) }
        let source = source()
        let (activity, call) = begin(kind, name(), from: source, attributes())
        do {
            let result = try await work(call)
            end(activity, .completed, from: source)
            return result
        } catch {
            end(activity, Event.Ending(of: error), from: source, self.attributes(of: error))
            throw error
        }
    }

    /// Begins an activity, and returns it with this call as it is within.
    func begin(
        _ kind: Event.Activity.Kind,
        _ name: String,
        from source: String,
        makesAttempts: Bool = false,
        _ attributes: @autoclosure () -> [String: Event.Value] = [:]
    ) -> (activity: Event.Activity, call: Call) {
        let activity = Event.Activity(
            id: Event.Activity.ID(number: runtime.identifier()),
            parent: activityContext?.activity.id,
            kind: kind,
            name: name
        )
        record(kind.beginning, .began, activity, from: source, attributes())
        var call = self
        call.activityContext = ActivityContext(
            activity: activity,
            attempt: attempt,
            makesAttempts: makesAttempts
        )
        return (activity, call)
    }

    /// Ends an activity; whoever began it does so once.
    func end(
        _ activity: Event.Activity,
        _ ending: Event.Ending,
        from source: String,
        _ attributes: @autoclosure () -> [String: Event.Value] = [:]
    ) {
        record(activity.kind.end(ending), .ended(ending), activity, from: source, attributes())
    }

    /// What may be said of an error: its type, and its description without secrets. Nothing of a
    /// cancellation, which is no error.
    func attributes(of error: any Error) -> [String: Event.Value] {
        guard let events, !(error is CancellationError) else { return [:] }
        return [
            "error.type": .text(typeName(of: error)),
            "error.message": .text(events.redaction.text("\(error)")),
        ]
    }

    private func record(
        _ name: Event.Name,
        _ phase: Event.Phase,
        _ activity: Event.Activity,
        from source: String,
        _ attributes: @autoclosure () -> [String: Event.Value]
    ) {
        guard let events else { return }
        events.record(
            Event(
                name: name,
                phase: phase,
                activity: activity,
                source: source,
                call: id,
                attempt: attempt,
                instant: runtime.now,
                attributes: attributes()
            )
        )
    }
}

extension Event.Ending {
    /// How what threw an error ended.
    init(of error: any Error) { self = error is CancellationError ? .cancelled : .failed }
}
