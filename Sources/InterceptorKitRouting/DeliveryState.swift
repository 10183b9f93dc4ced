/// The state of a request that a session gave to a route: it begins once, its deliveries are made in order on the
/// session's own queue, and it ends once. It only decides on actions; the caller performs them.
///
/// On Linux, the only way onto that queue is the task's `resume()`, which calls `startLoading()` there again. But
/// anyone who uses the task may resume it too, and a `resume()` after the last delivery ends the process. So the last
/// delivery is not made while a queue call is under way.
struct DeliveryState<Delivery: Sendable>: Sendable {
    enum Event: Sendable {
        /// `startLoading()` was called on the session's queue.
        case entered
        /// The session's task was suspended; `entered` follows once it is resumed.
        case suspended
        /// The session's task was cancelled; nothing more may be delivered.
        case cancelled
        /// There is something to deliver; the previous deliveries were acknowledged.
        case produced([Delivery], isLast: Bool)
        /// The queue call has returned; `entered` follows or has already come.
        case calledQueue
        /// All `entered` events of earlier queue calls have come.
        case drainedQueue
    }

    enum Action: Sendable {
        /// Begin the request.
        case begin
        /// Call the session's queue.
        case callQueue
        /// Wait until the queue has entered for all calls so far.
        case drainQueue
        /// Deliver at once, on the current thread.
        case deliver([Delivery])
        /// Let the producer continue.
        case acknowledge
        /// Stop the request and release everything.
        case end
    }

    private enum Phase {
        case new, loading, over
    }

    private var phase = Phase.new
    private var isSuspended = false
    private var waiting: (deliveries: [Delivery], isLast: Bool)?
    // From the decision to call the queue until the call has returned.
    private var isCalling = false
    // The queue may have entered before the waiting deliveries were there.
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
        // Only the owner may resume a suspended task; `entered` then follows.
        if isSuspended || isCalling { return [] }
        isCalling = true
        mayHaveMissed = false
        return [.callQueue]
    }
}
