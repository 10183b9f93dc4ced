import Expectations
import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitTesting
import TestRun
import TestSupport
import Testing

@Suite("Waiter+Limit")
struct WaiterLimitTests {
    private static let end = Runtime.Instant(offset: .seconds(5))

    private static func wait(
        _ waiter: Waiter<String, Never>,
        on runtime: Runtime,
        _ fired: Recorder<Runtime.Instant> = Recorder()
    ) async -> String {
        await waiter.value(until: end, on: runtime, "limit of a test") {
            waiter.resume(returning: "cancelled")
        } onLimit: {
            fired.note(runtime.now)
            waiter.resume(returning: "late")
        }
    }

    @Test("ends at its limit, and leaves no timer behind if it ends before")
    func limit() async throws {
        let (ends, fired) = try await onEverySeed { simulation in
            let runtime = simulation.runtime
            let fired = Recorder<Runtime.Instant>()
            let first = Waiter<String, Never>()
            let task = Task.child(in: simulation) { await Self.wait(first, on: runtime, fired) }
            try await runtime.sleep(for: .seconds(1))
            first.resume(returning: "resumed")
            let resumed = try await task.value
            try await runtime.sleep(for: .seconds(1))
            return ([resumed, await Self.wait(Waiter(), on: runtime, fired)], fired.entries)
        }

        expectEqual(ends, ["resumed", "late"])
        expectEqual(fired, [Self.end])
    }

    @Test("has one end under every schedule, resumed and cancelled at its limit")
    func everySchedule() async throws {
        let results = Recorder<String>()
        let explored = try await besideOtherTests {
            try simulateAllSchedules(limit: 50_000) { simulation in
                let runtime = simulation.runtime
                let waiter = Waiter<String, Never>()
                let task = Task.child(in: simulation) { await Self.wait(waiter, on: runtime) }
                let resuming = Task.child(in: simulation) {
                    try await runtime.sleep(until: Self.end)
                    waiter.resume(returning: "resumed")
                }
                let cancelling = Task.child(in: simulation) {
                    try await runtime.sleep(until: Self.end)
                    task.cancel()
                }
                results.note(try await task.value)
                try await resuming.value
                try await cancelling.value
            }
        }

        expectTrue(explored.isComplete, "\(explored)")
        expectEqual(results.entries.count, explored.schedules)
        expectEqual(Set(results.entries), ["cancelled", "late", "resumed"])
    }
}
