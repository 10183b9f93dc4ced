import InterceptorKitConcurrency
import Synchronization

/// A token bucket, and the tasks that wait for their turn.
///
/// While tasks wait, one task of the runtime sleeps until the next of them may begin.
final class RateLimiterQueue: Sendable {
    private struct QueuedTask {
        let task: Waiter<Void, any Error>
        let permits: Int
        let deadline: Runtime.Instant?
    }

    private struct Dispatcher {
        let id: Int
        var task: Task<Void, Never>?
    }

    private struct State {
        var bucket: TokenBucket
        var waiters = WaiterQueue<QueuedTask>()
        // The permits of all that wait.
        var queued = 0
        var dispatcher: Dispatcher?
        var lastDispatcher = 0
    }

    private enum Entry {
        case entered
        case waits(until: Runtime.Instant, dispatcher: Int?)
        case refused(until: Runtime.Instant)
        case full
    }

    let authority: String?
    private let queueLimit: Int
    private let state: Lock<State>

    init(_ authority: String?, policy: RateLimitPolicy) {
        self.authority = authority
        queueLimit = policy.queueLimit
        state = Lock(State(bucket: TokenBucket(policy: policy)))
    }

    var waiting: Int { state.withLock { $0.waiters.count } }

    /// Takes the call's turn if it is now, as it nearly always is. Runs first, without the cost of an asynchronous
    /// call.
    func enterAtOnce(_ call: Call) -> Bool {
        let (permits, now) = (call.permits, call.runtime.now)
        return state.withLock { $0.waiters.isEmpty && $0.bucket.take(permits, at: now) }
    }

    /// Waits until it is the call's turn.
    /// - Throws: ``LimitError`` at once if the turn does not come before the deadline, or
    ///   `CancellationError` as soon as the task is cancelled; ``SettingError`` if the limit never gives so many
    ///   permits.
    nonisolated(nonsending) func enter(_ call: Call) async throws {
        let most = state.withLock { $0.bucket.maxPermits }
        try call.checkPermits(upTo: most, "RateLimitPolicy.burst")
        try Task.checkCancellation()
        let wait = call.beginWait(for: "its turn by a rate limit")
        defer { wait.end() }
        let task = Waiter<Void, any Error>()
        let number = state.withLock { $0.waiters.draw() }
        guard try mustWait(task, as: number, call) else { return }
        try await task.value(onCancel: { giveUp(number, call.runtime) })
    }

    /// Records the server's hint, and rejects the waiters whose deadline comes before their new turn.
    func follow(_ hint: RateHint, _ call: Call) {
        let now = call.runtime.now
        let (refused, bucket, queued) = state.withLock { state in
            state.bucket.follow(hint, at: now)
            let bucket = state.bucket
            var queued = 0
            let refused = state.waiters.removeAll { waiter in
                let position = queued + waiter.permits
                if let deadline = waiter.deadline, bucket.start(of: position, at: now) > deadline {
                    return true
                }
                queued = position
                return false
            }
            state.queued = queued
            return (refused, bucket, queued)
        }
        for waiter in refused {
            let start = bucket.start(of: queued + waiter.permits, at: now)
            waiter.task.resume(throwing: tooLate(now.duration(to: start), waiter.permits, now))
        }
        adjust(afterLeaving: refused, call.runtime)
    }

    /// Joins the queue.
    /// - Returns: `false` if the task need not wait.
    private func mustWait(
        _ task: Waiter<Void, any Error>,
        as number: Int,
        _ call: Call
    ) throws -> Bool {
        let (permits, now) = (call.permits, call.runtime.now)
        let entry = state.withLock { state -> Entry in
            if state.waiters.isEmpty && state.bucket.take(permits, at: now) { return .entered }
            guard state.waiters.count < queueLimit else { return .full }
            let start = state.bucket.start(of: state.queued + permits, at: now)
            if let deadline = call.deadline, start > deadline { return .refused(until: start) }
            state.waiters.join(
                QueuedTask(task: task, permits: permits, deadline: call.deadline),
                as: number
            )
            state.queued += permits
            guard state.dispatcher == nil else { return .waits(until: start, dispatcher: nil) }
            state.lastDispatcher += 1
            state.dispatcher = Dispatcher(id: state.lastDispatcher)
            return .waits(until: start, dispatcher: state.lastDispatcher)
        }
        switch entry {
        case .entered:
            return false
        case .waits(let start, let dispatcher):
            call.emit(.limitWaited, attributes(delay: now.duration(to: start)))
            if let dispatcher { dispatch(dispatcher, call.runtime) }
            return true
        case .refused(let start):
            throw call.reject(tooLate(now.duration(to: start), permits, now))
        case .full:
            throw call.reject(tooMany)
        }
    }

    private func giveUp(_ number: Int, _ runtime: Runtime) {
        let left = state.withLock { state in
            let waiter = state.waiters.leave(number)
            state.queued -= waiter?.permits ?? 0
            return waiter
        }
        guard let left else { return }
        left.task.resume(throwing: CancellationError())
        adjust(afterLeaving: [left], runtime)
    }

    private func dispatch(_ id: Int, _ runtime: Runtime) {
        let task = runtime.start("rate limit") { [weak self] in
            while let next = self?.admit(at: runtime.now, by: id) {
                guard (try? await runtime.sleep(until: next)) != nil else { return }
            }
        }
        let isSuperseded = state.withLock { state in
            guard state.dispatcher?.id == id else { return true }
            state.dispatcher?.task = task
            return false
        }
        if isSuperseded { task.cancel() }
    }

    /// Resumes the tasks whose turn it is.
    /// - Returns: The instant of the next turn; `nil` if nobody waits, in which case the serving task ends.
    private func admit(at now: Runtime.Instant, by id: Int) -> Runtime.Instant? {
        let (tasks, next) = state.withLock {
            state -> ([Waiter<Void, any Error>], Runtime.Instant?) in
            guard state.dispatcher?.id == id else { return ([], nil) }
            var tasks: [Waiter<Void, any Error>] = []
            while let waiter = state.waiters.first {
                guard state.bucket.take(waiter.permits, at: now) else {
                    return (tasks, state.bucket.start(of: waiter.permits, at: now))
                }
                _ = state.waiters.removeFirst()
                state.queued -= waiter.permits
                tasks.append(waiter.task)
            }
            state.dispatcher = nil
            return (tasks, nil)
        }
        for task in tasks { task.resume() }
        return next
    }

    /// Stops the dispatcher if nobody waits, and starts another if it may sleep until the turn of a heavy call that left,
    /// since the next call may begin before.
    private func adjust(afterLeaving left: [QueuedTask], _ runtime: Runtime) {
        let isHeavy = left.contains { $0.permits > 1 }
        let (stopped, next) = state.withLock { state -> (Dispatcher?, Int?) in
            if state.waiters.isEmpty { return (state.dispatcher.take(), nil) }
            guard isHeavy else { return (nil, nil) }
            let stopped = state.dispatcher.take()
            state.lastDispatcher += 1
            state.dispatcher = Dispatcher(id: state.lastDispatcher)
            return (stopped, state.lastDispatcher)
        }
        stopped?.task?.cancel()
        if let next { dispatch(next, runtime) }
    }

    private func attributes(delay: Duration) -> Event.Attributes {
        var attributes: Event.Attributes = ["delay": .duration(delay)]
        attributes.authority = authority
        return attributes
    }

    private func tooLate(
        _ wait: Duration,
        _ permits: Int,
        _ now: Runtime.Instant
    ) -> LimitError {
        let wait = max(.zero, wait)
        let isHeldByServer = state.withLock { $0.bucket.isHeldByServer(permits, at: now) }
        let cause =
            isHeldByServer ? "The server asked to wait" : "This client's own rate limit is used up"
        return LimitError(
            .rate,
            authority,
            retryAfter: wait,
            "\(cause): the next call\(destination) can begin in \(wait.formattedSeconds), after this "
                + "call's deadline. Nothing was sent."
        )
    }

    private var tooMany: LimitError {
        LimitError(
            .tooManyCalls,
            authority,
            "The limit of \(queueLimit) calls\(destination) that wait for the rate limit is reached. Nothing was sent; try "
                + "again when some of them were sent."
        )
    }

    private var destination: String { authority.map { " to \($0)" } ?? "" }
}
