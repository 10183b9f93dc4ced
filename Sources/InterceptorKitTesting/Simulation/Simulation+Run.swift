import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

extension Simulation {
    /// Runs a body to its end in a separate simulation, on the calling thread.
    /// - Parameters:
    ///   - seed: The seed that decides the interleaving. Defaults to 0.
    ///   - stepLimit: The largest number of steps. Defaults to ``defaultStepLimit``.
    ///   - body: The test, which gets the simulation.
    /// - Throws: The body's error; a ``SimulationError`` for a deadlock, for anything still running when
    ///   the body has ended, for a sleep in real time and for a run that does not end.
    public static func run<Result: Sendable>(
        seed: UInt64 = 0,
        stepLimit: Int = defaultStepLimit,
        _ body: @escaping @Sendable (Simulation) async throws -> Result
    ) throws -> Result {
        try Simulation(seed: seed).run(stepLimit: stepLimit, body)
    }

    func run<Result: Sendable>(
        stepLimit: Int,
        _ body: @escaping @Sendable (Simulation) async throws -> Result
    ) throws -> Result {
        GlobalEnqueues.begin(executor)
        defer { GlobalEnqueues.end(executor) }
        return try SimulationThread.run(executor) { try runHere(stepLimit: stepLimit, body) }
    }

    private func runHere<Result: Sendable>(
        stepLimit: Int,
        _ body: @escaping @Sendable (Simulation) async throws -> Result
    ) throws -> Result {
        let outcome = PendingOutcome<Result>()
        let task = Simulation.$current.withValue(self) {
            Task(name: "body", executorPreference: executor) {
                do {
                    outcome.set(.success(try await body(self)))
                } catch {
                    outcome.set(.failure(error))
                }
            }
        }
        executor.name(task, "body")
        do {
            let result = try drive(outcome, stepLimit: stepLimit)
            if case .success = result, let error = leftover { throw error }
            if case .failure = result { abandon() }
            return try result.get()
        } catch let error as SimulationError {
            task.cancel()
            abandon()
            throw error
        }
    }

    private func drive<Result: Sendable>(
        _ outcome: PendingOutcome<Result>,
        stepLimit: Int
    ) throws -> Swift.Result<Result, any Error> {
        var steps = 0
        while true {
            if step({ count in schedule.withLock { $0.next(below: count) } }) {
                steps += 1
                guard steps <= stepLimit else { throw runaway(stepLimit) }
                if let sleeper = executor.realSleeper { throw realSleep(sleeper) }
                continue
            }
            // Checked only when nothing can run, so that everything the body released has ended.
            if let result = outcome.value { return result }
            guard clock.advanceToNextTimer() else { throw deadlock() }
            let now = now.offset
            executor.note { $0.reached(now) }
        }
    }

    // Due timers compete with runnable jobs, so that a wake-up and a cancellation at the same instant come in either
    // order.
    private func step(_ choose: (_ count: Int) -> Int) -> Bool {
        let ready = executor.readyCount
        let due = clock.dueCount
        guard ready + due > 0 else { return false }
        let choice = choose(ready + due)
        if choice < ready {
            executor.run(at: choice)
        } else if let owner = clock.fire(at: choice - ready) {
            executor.note { $0.fired(of: owner) }
        }
        return true
    }

    // Cancels the remaining tasks and lets them unwind, so that the next run starts clean. A task that ignores
    // cancellation stays suspended forever.
    private func abandon() {
        tasks.cancelAll()
        executor.captured.cancelAll()
        var steps = 0
        while steps < Simulation.abandonLimit, step({ _ in 0 }) { steps += 1 }
    }

    private static let abandonLimit = 100_000
}

/// The result of the body, once it has ended.
private final class PendingOutcome<Success: Sendable>: Sendable {
    private let state = Lock<Swift.Result<Success, any Error>?>(nil)

    var value: Swift.Result<Success, any Error>? { state.withLock { $0 } }

    func set(_ result: Swift.Result<Success, any Error>) { state.withLock { $0 = result } }
}
