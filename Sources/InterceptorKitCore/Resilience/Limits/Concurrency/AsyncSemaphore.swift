import InterceptorKitConcurrency
import Synchronization

/// Permits, and the tasks that wait for some.
final class AsyncSemaphore: Sendable {
    let authority: String?
    private let permits: Lock<SemaphoreState<Waiter<Void, any Error>>>

    init(_ authority: String?, limit: Int, queueLimit: Int) {
        self.authority = authority
        permits = Lock(SemaphoreState(limit: limit, queueLimit: queueLimit))
    }

    var inUse: Int { permits.withLock { $0.inUse } }
    var waiting: Int { permits.withLock { $0.waiters.count } }

    /// Takes permits if they are free; ``leave(_:)`` returns them. Nearly every call finds some, so this runs first,
    /// without the cost of an asynchronous call.
    func enterAtOnce(_ count: Int) -> Bool { permits.withLock { $0.enter(count) } == .entered }

    /// Waits until the call's permits are free and takes them; ``leave(_:)`` returns them.
    /// - Parameter maxWait: The longest wait, which never exceeds the call's deadline.
    /// - Throws: ``LimitError``, or `CancellationError` as soon as the task is cancelled; ``SettingError`` if there are
    ///   fewer permits than the call takes.
    nonisolated(nonsending) func enter(
        _ call: Call,
        maxWait: Duration?
    ) async throws {
        let limit = permits.withLock { $0.limit }
        try call.checkPermits(upTo: limit, "ConcurrencyLimitPolicy.limit")
        switch permits.withLock({ $0.enter(call.permits) }) {
        case .entered: return
        case .refused: throw call.reject(tooManyCalls)
        case .mustWait: try await wait(call, maxWait)
        }
    }

    func leave(_ count: Int) {
        guard let next = permits.withLock({ $0.release(count) }) else { return }
        next.resume()
        resumeMore()
    }

    // Several can go on where one with many permits was, or waited.
    private func resumeMore() {
        while let next = permits.withLock({ $0.next() }) { next.resume() }
    }

    private nonisolated(nonsending) func wait(
        _ call: Call,
        _ maxWait: Duration?
    ) async throws {
        try Task.checkCancellation()
        let began = call.runtime.now
        let end = [maxWait.map { began.advanced(by: $0) }, call.deadline].compactMap(\.self).min()
        call.emit(.limitWaited, authority.map { ["authority": .text($0)] } ?? [:])
        let wait = call.beginWait(for: "a permit")
        defer { wait.end() }
        let task = Waiter<Void, any Error>()
        let number = permits.withLock { $0.draw() }
        switch permits.withLock({ $0.join(task, as: number, call.permits) }) {
        case .entered: return
        case .refused: throw call.reject(tooManyCalls)
        case .mustWait: break
        }
        try await task.value(until: end, on: call.runtime, "time limit of a wait for a permit") {
            giveUp(number, CancellationError())
        } onLimit: { [weak self] in
            guard let self else { return }
            let limit = end.map { began.duration(to: $0) } ?? .zero
            giveUp(number, call.reject(waitedTooLong(limit)))
        }
    }

    // The code that removes a task from the queue resumes it. A task that already holds a permit is not in the queue.
    private func giveUp(_ number: Int, _ error: @autoclosure () -> any Error) {
        guard let task = permits.withLock({ $0.leave(number) }) else { return }
        task.resume(throwing: error())
        resumeMore()
    }

    private var tooManyCalls: LimitError {
        let (limit, queueLimit) = permits.withLock { ($0.limit, $0.queueLimit) }
        let waiting = queueLimit == 0 ? "" : ", and \(queueLimit) more wait, which is the limit too"
        return LimitError(
            .tooManyCalls,
            authority,
            "The limit of \(limit) calls\(destination) at once is reached\(waiting). Nothing was "
                + "sent; try again when some have ended."
        )
    }

    private func waitedTooLong(_ duration: Duration) -> LimitError {
        LimitError(
            .waitedTooLong,
            authority,
            "None of the calls\(destination) that are under way ended in the "
                + "\(max(.zero, duration).formattedSeconds) that this one could wait. Nothing was sent."
        )
    }

    private var destination: String { authority.map { " to \($0)" } ?? "" }
}

/// The limit, the permits in use and the waiters: a value that decides.
struct SemaphoreState<Waiter> {
    enum Entry: Sendable, Hashable {
        /// The permits are taken.
        case entered
        /// Too few permits are free, but there is room to wait.
        case mustWait
        /// Too few permits are free, and the queue is full.
        case refused
    }

    struct QueuedTask {
        let waiter: Waiter
        let permits: Int
    }

    let limit: Int
    let queueLimit: Int
    private(set) var inUse = 0
    private(set) var waiters = WaiterQueue<QueuedTask>()

    init(limit: Int, queueLimit: Int) {
        self.limit = limit
        self.queueLimit = queueLimit
    }

    /// Takes permits if they are free and nobody waits.
    mutating func enter(_ permits: Int = 1) -> Entry {
        guard permits <= limit - inUse, waiters.isEmpty else {
            return waiters.count < queueLimit ? .mustWait : .refused
        }
        inUse += permits
        return .entered
    }

    mutating func draw() -> Int { waiters.draw() }

    /// Joins the queue, unless enough permits have become free or there is no room left.
    mutating func join(_ waiter: Waiter, as number: Int, _ permits: Int = 1) -> Entry {
        let entry = enter(permits)
        if entry == .mustWait {
            waiters.join(QueuedTask(waiter: waiter, permits: permits), as: number)
        }
        return entry
    }

    mutating func leave(_ number: Int) -> Waiter? { waiters.leave(number)?.waiter }

    /// Returns permits. A waiter that is returned holds its permits already.
    mutating func release(_ permits: Int = 1) -> Waiter? {
        inUse -= permits
        return waiters.isEmpty ? nil : next()
    }

    /// Takes the permits of the longest waiter and returns it, if they are free. Others never overtake it, so that a call
    /// with many permits does not wait forever.
    mutating func next() -> Waiter? {
        guard inUse < limit, let next = waiters.first, next.permits <= limit - inUse else {
            return nil
        }
        _ = waiters.removeFirst()
        inUse += next.permits
        return next.waiter
    }
}

extension SemaphoreState: Sendable where Waiter: Sendable {}
extension SemaphoreState.QueuedTask: Sendable where Waiter: Sendable {}
