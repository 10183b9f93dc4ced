import InterceptorKitConcurrency
import Synchronization

/// The attempts to an authority, in flight or waiting, and the estimate of the server's capacity.
final class AdaptiveLimiter: Sendable {
    /// An attempt that was let through.
    struct Permission: Sendable {
        let began: Runtime.Instant
        /// The permits in use when it began; 1 for an attempt without others, which is no load, whatever it takes.
        let inFlight: Int
        let permits: Int

        init(began: Runtime.Instant, inFlight: Int, permits: Int) {
            self.began = began
            self.inFlight = inFlight == permits ? 1 : inFlight
            self.permits = permits
        }
    }

    private struct QueuedTask {
        let task: Waiter<Void, any Error>
        let permits: Int
    }

    private struct State {
        var estimate: LimitEstimate
        var inFlight = 0
        var waiters = PriorityWaiterQueue<QueuedTask>()
        var timer: DeadlineTimer?
        var timerNumber = 0

        /// Lets an attempt through while there is any room, so that the estimate may be below the permits of one attempt.
        mutating func enter(_ permits: Int, at now: Runtime.Instant) -> Permission? {
            guard hasRoom(at: now) else { return nil }
            return add(permits, at: now)
        }

        @inline(__always)
        mutating func hasRoom(at now: Runtime.Instant) -> Bool {
            if inFlight < estimate.permits { return true }
            guard let probe = estimate.nextProbe, probe <= now else { return false }
            estimate.probe(at: now)
            return true
        }

        @inline(__always) @discardableResult
        mutating func add(_ permits: Int, at now: Runtime.Instant) -> Permission {
            inFlight += permits
            return Permission(began: now, inFlight: inFlight, permits: permits)
        }
    }

    private let authority: String?
    private let settings: AdaptiveConcurrencyLimit
    private let state: Lock<State>

    init(_ authority: String?, settings: AdaptiveConcurrencyLimit) {
        self.authority = authority
        self.settings = settings
        state = Lock(State(estimate: LimitEstimate(settings: settings)))
    }

    var limit: Double { state.withLock { $0.estimate.limit } }
    var inFlight: Int { state.withLock { $0.inFlight } }
    var waiting: Int { state.withLock { $0.waiters.count } }

    /// Lets an attempt through if it need not wait.
    func enterAtOnce(_ permits: Int, at now: Runtime.Instant) -> Permission? {
        state.withLock { $0.enter(permits, at: now) }
    }

    /// Waits until an attempt may begin.
    /// - Throws: ``LimitError`` if the attempt waits too long or gives way to others; `CancellationError`.
    nonisolated(nonsending) func enter(_ call: Call) async throws -> Permission {
        try Task.checkCancellation()
        let now = call.runtime.now
        let longest = now.advanced(by: settings.maxWait)
        let end = call.deadline.map { min($0, longest) } ?? longest
        call.emit(.limitWaited, authority.map { ["authority": .text($0)] } ?? [:])
        let wait = call.beginWait(for: "its turn by an adaptive limit")
        defer { wait.end() }
        let task = Waiter<Void, any Error>()
        let number = state.withLock { $0.waiters.draw() }
        guard try mustWait(task, as: number, at: now, call) else { return permission(call) }
        // The attempt may be allowed by now, even though it joined the queue.
        admit(at: now, call.runtime)
        try await task.value(
            until: end,
            on: call.runtime,
            "time limit of a wait for an adaptive limit"
        ) {
            giveUp(number, CancellationError())
        } onLimit: { [weak self] in
            guard let self else { return }
            giveUp(number, call.reject(waitedTooLong(now.duration(to: end))))
        }
        return permission(call)
    }

    private func permission(_ call: Call) -> Permission {
        Permission(began: call.runtime.now, inFlight: inFlight, permits: call.permits)
    }

    func leave(_ permission: Permission, _ outcome: LimitEstimate.Outcome, _ call: Call) {
        let now = call.runtime.now
        let (before, estimate, isIdle) = state.withLock { state in
            let before = state.estimate.limit
            state.inFlight -= permission.permits
            state.estimate.add(
                outcome,
                lasting: permission.began.duration(to: now),
                inFlight: permission.inFlight,
                at: now
            )
            return (before, state.estimate, state.waiters.isEmpty && state.timer == nil)
        }
        if call.isObserved, Int(before) != Int(estimate.limit) {
            call.emit(.limitAdapted, attributes(from: before, to: estimate))
        }
        if !isIdle { admit(at: now, call.runtime) }
    }

    /// Joins the queue.
    /// - Returns: `false` if the task need not wait any more.
    private func mustWait(
        _ task: Waiter<Void, any Error>,
        as number: Int,
        at now: Runtime.Instant,
        _ call: Call
    ) throws -> Bool {
        enum Entry {
            case entered, refused, waits(pushedOut: QueuedTask?)
        }
        let queued = QueuedTask(task: task, permits: call.permits)
        let entry = state.withLock { state -> Entry in
            if state.enter(queued.permits, at: now) != nil { return .entered }
            guard state.waiters.count >= settings.queueLimit else {
                state.waiters.join(queued, as: number, call.criticality)
                return .waits(pushedOut: nil)
            }
            guard let pushedOut = state.waiters.removeOldest(notAbove: call.criticality) else {
                return .refused
            }
            state.waiters.join(queued, as: number, call.criticality)
            return .waits(pushedOut: pushedOut)
        }
        switch entry {
        case .entered: return false
        case .refused: throw call.reject(tooMany)
        case .waits(let pushedOut):
            pushedOut?.task.resume(throwing: call.reject(tooMany))
            return true
        }
    }

    /// Lets through as many attempts as may begin, and sets a timer for the next probe of a silent server.
    private func admit(at now: Runtime.Instant, _ runtime: Runtime) {
        enum Next {
            case nothing, rest(DeadlineTimer?), resume(Waiter<Void, any Error>)
            case wake(at: Runtime.Instant, number: Int)
        }
        while true {
            let next = state.withLock { state -> Next in
                guard !state.waiters.isEmpty else { return .rest(state.timer.take()) }
                if state.hasRoom(at: now), let next = state.waiters.removeNewest() {
                    state.add(next.permits, at: now)
                    return .resume(next.task)
                }
                guard let probe = state.estimate.nextProbe, state.timer == nil
                else { return .nothing }
                state.timerNumber += 1
                return .wake(at: probe, number: state.timerNumber)
            }
            switch next {
            case .nothing: return
            case .rest(let timer): return timer?.cancel() ?? ()
            case .resume(let task): task.resume()
            case .wake(let end, let number): return wake(at: end, number, runtime)
            }
        }
    }

    private func wake(at end: Runtime.Instant, _ number: Int, _ runtime: Runtime) {
        let timer = runtime.timer(at: end, "probe of an adaptive limit") { [weak self] in
            guard let self else { return }
            state.withLock { if $0.timerNumber == number { $0.timer = nil } }
            admit(at: max(end, runtime.now), runtime)
        }
        let isLate = state.withLock { state in
            guard state.timerNumber == number, !state.waiters.isEmpty else { return true }
            state.timer = timer
            return false
        }
        if isLate { timer.cancel() }
    }

    // The code that removes a task from the queue resumes it. A task that was let through is not in the queue.
    private func giveUp(_ number: Int, _ error: @autoclosure () -> any Error) {
        let (task, timer) = state.withLock { state in
            let task = state.waiters.leave(number)
            return (task, state.waiters.isEmpty ? state.timer.take() : nil)
        }
        timer?.cancel()
        task?.task.resume(throwing: error())
    }
}

extension AdaptiveLimiter {
    private var tooMany: LimitError {
        LimitError(
            .tooManyCalls,
            authority,
            "\(reason) \(settings.queueLimit) wait already. Nothing was sent; send fewer, or try again later."
        )
    }

    private func waitedTooLong(_ wait: Duration) -> LimitError {
        LimitError(
            .waitedTooLong,
            authority,
            "\(reason) This one's turn did not come within \(max(.zero, wait).formattedSeconds). Nothing "
                + "was sent."
        )
    }

    // Says that the client decides, not the server.
    private var reason: String {
        let estimate = state.withLock { $0.estimate }
        let recent = estimate.recent
        let cause =
            recent.timeouts == 0
            ? "which nothing has shown to be too few"
            : "because \(recent.timeouts) of its last \(recent.outcomes) attempts timed out"
        let attempts = estimate.permits == 1 ? "attempt" : "attempts"
        return
            "This client limits itself to about \(estimate.permits) \(attempts)\(destination) at once, "
            + "\(cause)."
    }

    private var destination: String { authority.map { " to \($0)" } ?? "" }

    private func attributes(
        from before: Double,
        to estimate: LimitEstimate
    ) -> Event.Attributes {
        var attributes: Event.Attributes = [
            "from": .number(Int(before)), "to": .number(Int(estimate.limit)),
            "timeouts": .number(estimate.recent.timeouts),
            "attempts": .number(estimate.recent.outcomes),
        ]
        attributes.authority = authority
        return attributes
    }
}
