import InterceptorKitConcurrency
import Synchronization

/// Permits, and the tasks that wait for one.
final class AsyncSemaphore: Sendable {
    let authority: String?
    private let permits: Lock<SemaphoreState<Waiter<Void, any Error>>>

    init(_ authority: String?, limit: Int, queueLimit: Int) {
        self.authority = authority
        permits = Lock(SemaphoreState(limit: limit, queueLimit: queueLimit))
    }

    var inUse: Int { permits.withLock { $0.inUse } }
    var waiting: Int { permits.withLock { $0.waiters.count } }

    /// Takes a permit if one is free; ``leave()`` returns it. Nearly every call finds one, so this runs first, without
    /// the cost of an asynchronous call.
    func enterAtOnce() -> Bool { permits.withLock { $0.enter() } == .entered }

    /// Waits until a permit is free and takes it; ``leave()`` returns it.
    /// - Parameter maxWait: The longest wait, which never exceeds the call's deadline.
    /// - Throws: ``LimitError``, or `CancellationError` as soon as the task is cancelled.
    nonisolated(nonsending) func enter(
        _ call: Call,
        maxWait: Duration?
    ) async throws {
        switch permits.withLock({ $0.enter() }) {
        case .entered: return
        case .refused: throw call.reject(tooManyCalls)
        case .mustWait: try await wait(call, maxWait)
        }
    }

    func leave() { permits.withLock { $0.release() }?.resume() }

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
        switch permits.withLock({ $0.join(task, as: number) }) {
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

/// The limit, the calls in flight and the waiters: a value that decides.
struct SemaphoreState<Waiter> {
    enum Entry: Sendable, Hashable {
        /// A permit is taken.
        case entered
        /// No permit is free, but there is room to wait.
        case mustWait
        /// No permit is free, and the queue is full.
        case refused
    }

    let limit: Int
    let queueLimit: Int
    private(set) var inUse = 0
    private(set) var waiters = WaiterQueue<Waiter>()

    init(limit: Int, queueLimit: Int) {
        self.limit = limit
        self.queueLimit = queueLimit
    }

    /// Takes a permit if one is free and nobody waits.
    mutating func enter() -> Entry {
        guard inUse < limit, waiters.isEmpty else {
            return waiters.count < queueLimit ? .mustWait : .refused
        }
        take()
        return .entered
    }

    mutating func draw() -> Int { waiters.draw() }

    /// Joins the queue, unless a permit has become free or there is no room left.
    mutating func join(_ waiter: Waiter, as number: Int) -> Entry {
        let entry = enter()
        if entry == .mustWait { waiters.join(waiter, as: number) }
        return entry
    }

    mutating func leave(_ number: Int) -> Waiter? { waiters.leave(number) }

    /// Returns a permit. A waiter that is returned holds the permit already.
    mutating func release() -> Waiter? {
        inUse -= 1
        return next()
    }

    private mutating func next() -> Waiter? {
        guard inUse < limit, let waiter = waiters.removeFirst() else { return nil }
        take()
        return waiter
    }

    private mutating func take() {
        inUse += 1
    }
}

extension SemaphoreState: Sendable where Waiter: Sendable {}
