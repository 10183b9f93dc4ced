/// The activity that a pass belongs to, and the attempt in which the activity began.
struct ActivityContext: Sendable {
    let activity: Event.Activity
    let attempt: Int
}

extension Call {
    /// The activity that this call is in at its place in the chain; `nil` if nobody listens.
    public var currentActivity: Event.Activity? { activityContext?.activity }

    /// Reports an event of this call. Without a sink, no argument is evaluated.
    /// - Parameters:
    ///   - name: The name of the event.
    ///   - source: The interceptor or transport that reports it.
    ///   - attributes: Details. Don't put secrets here.
    public func emit(
        _ name: Event.Name,
        from source: @autoclosure () -> String,
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
    /// try await chain.call.activity(.wait, "a free seat", from: "SeatInterceptor") { _ in
    ///     try await seats.take()
    /// }
    /// ```
    /// - Parameters:
    ///   - kind: The kind of activity.
    ///   - name: The work, or the reason for a wait, in a few words.
    ///   - source: The interceptor or transport that reports it.
    ///   - attributes: Details. Don't put secrets here.
    ///   - work: The work. It gets this call within the activity: everything reported with that call, or passed on with
    ///     it, is part of the activity.
    public nonisolated(nonsending) func activity<Result>(
        _ kind: Event.Activity.Kind,
        _ name: @autoclosure () -> String,
        from source: @autoclosure () -> String,
        _ attributes: @autoclosure () -> Event.Attributes = [:],
        _ work: nonisolated(nonsending) (_ call: Call) async throws -> Result
    ) async throws -> Result {
        guard isObserved else { return try await work(self) }
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

    /// Begins an activity that outlasts a scope, such as the arrival of a body; ``end(_:_:from:_:)`` ends it.
    ///
    /// For an activity that ends in the same scope, use ``activity(_:_:from:_:_:)``.
    /// - Parameters:
    ///   - kind: The kind of activity.
    ///   - name: The work, or the reason for a wait, in a few words.
    ///   - source: The interceptor or transport that reports it.
    ///   - attributes: Details. Don't put secrets here.
    /// - Returns: The activity, and this call within the activity.
    public func begin(
        _ kind: Event.Activity.Kind,
        _ name: String,
        from source: String,
        _ attributes: @autoclosure () -> Event.Attributes = [:]
    ) -> (activity: Event.Activity, call: Call) {
        let activity = Event.Activity(
            id: Event.Activity.ID(number: runtime.identifier()),
            parent: activityContext?.activity.id,
            descriptor: ActivityDescriptor(kind, name)
        )
        record(.began, of: activity, from: source, attributes())
        var call = self
        call.activityContext = ActivityContext(activity: activity, attempt: attempt)
        return (activity, call)
    }

    /// Ends an activity that ``begin(_:_:from:_:)`` began. Call it once.
    /// - Parameters:
    ///   - activity: The activity.
    ///   - ending: The way it ended.
    ///   - source: The interceptor or transport that reports it.
    ///   - attributes: Details. Don't put secrets here.
    public func end(
        _ activity: Event.Activity,
        _ ending: Event.Ending,
        from source: String,
        _ attributes: @autoclosure () -> Event.Attributes = [:]
    ) {
        guard isObserved else { return }
        record(.ended(ending), of: activity, from: source, attributes())
    }

    /// Returns the attributes of an error for an event: `error.type`, and `error.message` if the call's input allows
    /// it. Empty if nobody listens, and for a cancellation, which isn't an error.
    /// - Parameter error: The error.
    public func attributes(of error: any Error) -> Event.Attributes {
        guard isObserved, !(error is CancellationError) else { return [:] }
        var attributes = Event.Attributes("error.type", .text(Redaction.typeName(of: error)))
        if let text = inputType?.redactedDescription(of: error, on: self) {
            attributes["error.message"] = .text(text)
        }
        return attributes
    }

    /// Reports the beginning or end of an activity. A source of `nil` means the activity's own name, and an attempt of
    /// `nil` this call's attempt.
    // Never inlined, so that the event does not occupy the frame of an asynchronous caller.
    @inline(never)
    func record(
        _ phase: Event.Phase,
        of activity: Event.Activity,
        from source: String?,
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
                from: source,
                call: id,
                attempt: attempt ?? self.attempt,
                at: runtime.now,
                attributes
            )
        )
    }
}

extension Event.Ending {
    /// Creates the ending for an error that was thrown.
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
