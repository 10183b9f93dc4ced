/// What happens to a request that a session gave to a route: begun once, its deliveries handed over in
/// order and on the session's own queue, ended once. Pure: it decides and does nothing.
///
/// On Linux the only way onto that queue is `resume()` on the task: it has `startLoading()` called there
/// once more. But anyone who uses the task may resume it too, and a `resume()` that comes after the last
/// delivery ends the process. So the last one is not delivered while a call for the queue is under way.
struct DeliveryState<Delivery: Sendable>: Sendable {
    enum Event: Sendable {
        /// The session's queue has come by: `startLoading()`.
        case entered
        /// The session's task was suspended; it is entered again when it is resumed.
        case suspended
        /// The session's task was cancelled; nothing more may be delivered.
        case cancelled
        /// There is something to deliver; the one before has been acknowledged.
        case produced([Delivery], isLast: Bool)
        /// The call for the queue has returned; the queue comes, or has come, for it.
        case calledQueue
        /// Whatever came for earlier calls has come.
        case drainedQueue
    }

    enum Action: Sendable {
        /// Begin with the request.
        case begin
        /// Call for the session's queue.
        case callQueue
        /// Wait until the queue has come for all calls so far.
        case drainQueue
        /// Deliver, here and now.
        case deliver([Delivery])
        /// Let the producer go on.
        case acknowledge
        /// Stop what was begun and release everything.
        case end
    }

    private enum Phase {
        case new, loading, over
    }

    private var phase = Phase.new
    private var isSuspended = false
    private var waiting: (deliveries: [Delivery], isLast: Bool)?
    // From the decision to call until the call has returned.
    private var isCalling = false
    // The queue may have come too early for what waits.
    private var mayHaveMissed = false

    mutating func handle(_ event: Event) -> [Action] {
        if phase == .over {
            if case .produced = event { return [.acknowledge] }
            return []
        }
        switch event {
        case .entered:
            return enter()
        case .suspended:
            isSuspended = true
            return []
        case .cancelled:
            return cancel()
        case .produced(let deliveries, let isLast):
            waiting = (deliveries, isLast)
            mayHaveMissed = isCalling
            return callQueue()
        case .calledQueue:
            isCalling = false
            return mayHaveMissed && waiting != nil ? [.drainQueue] : []
        case .drainedQueue:
            return waiting == nil ? [] : callQueue()
        }
    }

    private mutating func enter() -> [Action] {
        isSuspended = false
        guard phase == .loading else {
            phase = .loading
            return [.begin]
        }
        guard let (deliveries, isLast) = waiting else { return [] }
        if isLast, isCalling {
            mayHaveMissed = true
            return []
        }
        waiting = nil
        guard isLast else { return [.deliver(deliveries), .acknowledge] }
        phase = .over
        return [.deliver(deliveries), .acknowledge, .end]
    }

    private mutating func cancel() -> [Action] {
        let actions: [Action] = waiting == nil ? [.end] : [.acknowledge, .end]
        phase = .over
        waiting = nil
        return actions
    }

    private mutating func callQueue() -> [Action] {
        // Resuming a suspended task is not ours to do; it is entered when its owner does.
        if isSuspended || isCalling { return [] }
        isCalling = true
        mayHaveMissed = false
        return [.callQueue]
    }
}
