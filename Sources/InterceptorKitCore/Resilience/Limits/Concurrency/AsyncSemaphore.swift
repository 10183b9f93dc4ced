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
    var waiting: Int { permits.withLock { $0.line.count } }

    /// Takes a permit if there is one, which ``leave()`` gives back. Nearly every call finds one, so this
    /// runs first, without the cost of an asynchronous step.
    func enterAtOnce() -> Bool { permits.withLock { $0.enter() } == .entered }

    /// Returns once a permit is held, which ``leave()`` gives back.
    /// - Parameter maxWait: How long to wait at most; never longer than until the call's deadline.
    /// - Throws: ``LimitError``, or `CancellationError` as soon as the task is cancelled.
    nonisolated(nonsending) func enter(
        _ call: Call,
        maxWait: Duration?,
        from source: String
    ) async throws {
        switch permits.withLock({ $0.enter() }) {
        case .entered: return
        case .refused: throw call.reject(tooManyCalls, from: source)
        case .mustWait: try await wait(call, maxWait, source)
        }
    }

    func leave() { permits.withLock { $0.giveBack() }?.resume() }

    private nonisolated(nonsending) func wait(
        _ call: Call,
        _ maxWait: Duration?,
        _ source: String
    ) async throws {
        try Task.checkCancellation()
        let began = call.runtime.now
        let end = [maxWait.map { began.advanced(by: $0) }, call.deadline].compactMap(\.self).min()
        call.emit(.limitWaited, from: source, authority.map { ["authority": .text($0)] } ?? [:])
        let wait = call.beginWait(for: "a permit", from: source)
        defer { wait.end() }
        let task = Waiter<Void, any Error>()
        let number = permits.withLock { $0.draw() }
        switch permits.withLock({ $0.join(task, as: number) }) {
        case .entered: return
        case .refused: throw call.reject(tooManyCalls, from: source)
        case .mustWait: break
        }
        try await task.value(until: end, on: call.runtime, "time limit of a wait for a permit") {
            giveUp(number, CancellationError())
        } onLimit: { [weak self] in
            guard let self else { return }
            let limit = end.map { began.duration(to: $0) } ?? .zero
            giveUp(number, call.reject(waitedTooLong(limit), from: source))
        }
    }

    // The code that takes a task out of the queue resumes it; one that holds a permit by now is not there.
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
