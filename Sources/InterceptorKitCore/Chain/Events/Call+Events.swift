/// The activity that a pass belongs to, and the attempt in which the activity began.
struct ActivityContext: Sendable {
    let activity: Event.Activity
    let attempt: Int
}

extension Call {
    /// The activity that contains this call at its place in the chain; `nil` if nobody listens.
    public var currentActivity: Event.Activity? { activityContext?.activity }

    /// Reports an event of this call. Without a sink, no argument is evaluated.
    /// - Parameters:
    ///   - name: The name of the event.
    /// - source: The part that reports it. Defaults to the part that began the surrounding activity: in a chain, the
    ///   interceptor or transport.
    ///   - attributes: Details. Don't put secrets here.
    public func emit(
        _ name: Event.Name,
        from source: @autoclosure () -> String? = nil,
        _ attributes: @autoclosure () -> Event.Attributes = [:]
    ) {
        guard let receiver else { return }
        receiver.sink.record(
            Event(
                name,
                .moment,
                of: activityContext?.activity,
                from: source(),
                call: id,
                attempt: attempt,
                at: runtime.now,
                attributes()
            )
        )
    }

    /// Runs work as an activity of this call, and reports its beginning and its end, even if the work throws. Without a
    /// sink, only the work runs.
    ///
    /// ```swift
    /// try await chain.call.activity(.wait, "a free seat") { _ in
    ///     try await seats.take()
    /// }
    /// ```
    /// - Parameters:
    ///   - kind: The kind of activity.
    ///   - name: The work, or the reason for a wait, in a few words.
    /// - source: The part that reports the activity. Defaults as in ``emit(_:from:_:)``.
    ///   - attributes: Details. Don't put secrets here.
    /// - work: The work. It gets this call within the activity: every event of that call is part of the activity.
    public nonisolated(nonsending) func activity<Result>(
        _ kind: Event.Activity.Kind,
        _ name: @autoclosure () -> String,
        from source: @autoclosure () -> String? = nil,
        _ attributes: @autoclosure () -> Event.Attributes = [:],
        _ work: nonisolated(nonsending) (_ call: Call) async throws -> Result
    ) async throws -> Result {
        guard isObserved else { return try await work(self) }
        let (activity, call) = begin(kind, name(), from: source(), attributes())
        let began = runtime.now
        func end(_ ending: Event.Ending, _ facts: Event.Attributes) {
            var facts = facts
            if kind == .call { facts.duration = began.duration(to: runtime.now) }
            self.end(activity, ending, facts)
        }
        do {
            let result = try await work(call)
            end(.completed, [:])
            return result
        } catch {
            end(Event.Ending(of: error), self.attributes(of: error))
            throw error
        }
    }

    /// Begins an activity that outlasts a scope, such as the arrival of a body; ``end(_:_:_:)`` ends it.
    ///
    /// For an activity that ends in the same scope, use ``activity(_:_:from:_:_:)``.
    /// - Parameters:
    ///   - kind: The kind of activity.
    ///   - name: The work, or the reason for a wait, in a few words.
    /// - source: The part that reports the activity. Defaults as in ``emit(_:from:_:)``.
    ///   - attributes: Details. Don't put secrets here.
    /// - Returns: The activity, and this call within the activity.
    public func begin(
        _ kind: Event.Activity.Kind,
        _ name: String,
        from source: @autoclosure () -> String? = nil,
        _ attributes: @autoclosure () -> Event.Attributes = [:]
    ) -> (activity: Event.Activity, call: Call) {
        let activity = Event.Activity(
            id: Event.Activity.ID(number: runtime.identifier()),
            parent: activityContext?.activity.id,
            descriptor: ActivityDescriptor(
                kind,
                name,
                from: source() ?? currentActivity?.source ?? ""
            )
        )
        record(.began, of: activity, attributes())
        var call = self
        call.activityContext = ActivityContext(activity: activity, attempt: attempt)
        return (activity, call)
    }

    /// Ends an activity that ``begin(_:_:from:_:)`` began. Call it once.
    /// - Parameters:
    ///   - activity: The activity.
    ///   - ending: The way in which the activity ended.
    ///   - attributes: Details. Don't put secrets here.
    public func end(
        _ activity: Event.Activity,
        _ ending: Event.Ending,
        _ attributes: @autoclosure () -> Event.Attributes = [:]
    ) {
        guard isObserved else { return }
        record(.ended(ending), of: activity, attributes())
    }

    /// Returns the attributes of an error for an event: `error.type`, and `error.message` if the call's input allows
    /// it. Empty if nobody listens, and for a cancellation, which isn't an error.
    /// - Parameter error: The error.
    public func attributes(of error: any Error) -> Event.Attributes {
        guard isObserved, !(error is CancellationError) else { return [:] }
        var attributes = Event.Attributes("error.type", .text(Redaction.typeName(of: error)))
        attributes.errorMessage = inputType?.redactedDescription(of: error, on: self)
        return attributes
    }

    /// Reports the beginning or end of an activity. If the attempt is `nil`, this call's attempt counts.
    // Never inlined, so that the event does not occupy the frame of an asynchronous caller.
    @inline(never)
    func record(
        _ phase: Event.Phase,
        of activity: Event.Activity,
        _ attributes: Event.Attributes,
        attempt: Int? = nil
    ) {
        guard let receiver else { return }
        let name: Event.Name =
            switch phase {
            case .ended(let ending): activity.descriptor.end(ending)
            case .began, .moment: activity.descriptor.beginning
            }
        receiver.sink.record(
            Event(
                name,
                phase,
                of: activity,
                from: nil,
                call: id,
                attempt: attempt ?? self.attempt,
                at: runtime.now,
                attributes
            )
        )
    }
}

extension Event.Ending {
    /// Creates the ending for a thrown error.
    public init(of error: any Error) { self = error is CancellationError ? .cancelled : .failed }
}

private enum CallRedaction: CallKey {
    static let defaultValue = Redaction.standard
}

extension Call {
    /// The redaction of this call's requests, responses and errors in events. Defaults to ``Redaction/standard``.
    ///
    /// A client sets its own redaction on each of its calls.
    public var redaction: Redaction {
        get { self[CallRedaction.self] }
        set { self[CallRedaction.self] = newValue }
    }
}
