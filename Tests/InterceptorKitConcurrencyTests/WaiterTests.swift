import Expectations
import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitTesting
import Synchronization
import TestRun
import TestSupport
import Testing

@Suite("Waiter")
struct WaiterTests {
    private struct Problem: Error, Equatable {}

    @Test("goes on once, by what came first, before and after it waits")
    func first() async throws {
        let results = try await onEverySeed { simulation in
            let early = Waiter<Int, any Error>()
            early.resume(returning: 1)
            early.resume(throwing: Problem())
            let late = Waiter<Int, any Error>()
            let task = Task.child(in: simulation) { try await late.value() }
            try await simulation.runtime.sleep(for: .seconds(1))
            let wasResumed = late.isResumed
            late.resume(returning: 2)
            late.resume(returning: 3)
            return [try await early.value(), try await task.value, wasResumed ? 1 : 0]
        }

        expectEqual(results, [1, 2, 0])
    }

    @Test("ends at once when it is cancelled, before it waits or while")
    func cancelled() async throws {
        let ends = try await onEverySeed { simulation in
            let ends = Recorder<Runtime.Instant>()
            let runtime = simulation.runtime
            for wait in [Duration.zero, .seconds(1)] {
                let task = Task.child(in: simulation) {
                    do {
                        _ = try await Waiter<Void, any Error>().value()
                    } catch is CancellationError {
                        ends.note(runtime.now)
                    }
                }
                if wait == .zero { task.cancel() }
                try await runtime.sleep(for: wait)
                task.cancel()
                try await task.value
            }
            return ends.entries.map(\.offset)
        }

        expectEqual(ends, [.zero, .seconds(1)])
    }

    @Test("has one end under every schedule, with a resumption and a cancellation")
    func everySchedule() async throws {
        let results = Recorder<String>()
        let explored = try await besideOtherTests {
            try simulateAllSchedules { simulation in
                let waiter = Waiter<Int, any Error>()
                let task = Task.child(in: simulation) { try await waiter.value() }
                let resuming = Task.child(in: simulation) { waiter.resume(returning: 1) }
                let cancelling = Task.child(in: simulation) { task.cancel() }
                try await resuming.value
                try await cancelling.value
                switch await task.result {
                case .success(let value): results.note("\(value)")
                case .failure(let error): results.note("\(type(of: error))")
                }
            }
        }

        expectTrue(explored.isComplete)
        expectEqual(results.entries.count, explored.schedules)
        expectEqual(Set(results.entries), ["1", "CancellationError"])
    }

    /// One permit, and the tasks that wait for it.
    private final class Permit: Sendable {
        let state = Lock((isFree: false, queue: WaiterQueue<Waiter<Void, any Error>>()))

        func take() async throws {
            let waiter = Waiter<Void, any Error>()
            let number = state.withLock { state -> Int? in
                guard state.isFree else { return state.queue.join(waiter) }
                state.isFree = false
                return nil
            }
            guard let number else { return }
            try await waiter.value(onCancel: {
                state.withLock { $0.queue.leave(number) }?.resume(throwing: CancellationError())
            })
        }

        func give() {
            state.withLock { state in
                let next = state.queue.removeFirst()
                state.isFree = next == nil
                return next
            }?.resume()
        }
    }

    @Test("loses no permit whose receiver is cancelled at that moment")
    func permit() async throws {
        let explored = try await besideOtherTests {
            try simulateAllSchedules(limit: 20_000) { simulation in
                let permit = Permit()
                let receiver = Task.child(in: simulation) {
                    try await permit.take()
                    permit.give()
                }
                let next = Task.child(in: simulation) { try await permit.take() }
                let cancelling = Task.child(in: simulation) { receiver.cancel() }
                let giving = Task.child(in: simulation) { permit.give() }
                try await cancelling.value
                try await giving.value
                _ = await receiver.result
                try await next.value
            }
        }

        expectTrue(explored.isComplete, "\(explored)")
    }

    @Test("goes on once on any thread, cancelled and resumed at the same time")
    func threads() async {
        var ends = 0
        for _ in 0..<500 {
            let waiter = Waiter<Void, any Error>()
            let task = Task { try await waiter.value() }
            async let resuming: Void = { waiter.resume() }()
            async let cancelling: Void = { task.cancel() }()
            _ = await (resuming, cancelling)
            _ = await task.result
            ends += waiter.isResumed ? 1 : 0
        }

        expectEqual(ends, 500)
    }
}
