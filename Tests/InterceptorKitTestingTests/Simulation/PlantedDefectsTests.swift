import Expectations
import InterceptorKit
import InterceptorKitTesting
import Testing

/// Defects that a simulation must find, and the first seed that does.
@Suite struct PlantedDefectsTests {
    @Test("a simulation finds each planted defect", arguments: PlantedDefect.all)
    func found(defect: PlantedDefect) throws {
        let error = #expect(throws: SimulationError.self) {
            try simulateAnySeed(0..<1_000, defect.body)
        }

        expectEqual(error?.code, defect.code)
        expectEqual(error?.seed, defect.seed)
        expectEqual(error?.pending, defect.pending)
    }
}

struct PlantedDefect: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let code: SimulationError.Code
    let seed: UInt64
    var pending: [String] = []
    let body: @Sendable (Simulation) async throws -> Void

    static let all = [
        PlantedDefect(
            testDescription: "twenty callers, a refresh checked before an await",
            code: .failedSeed,
            seed: 0
        ) { simulation in
            let tokens = RacyTokens()
            await withDiscardingTaskGroup { group in
                for _ in 0..<20 { group.addTask { await tokens.use() } }
            }
            if await tokens.refreshes != 1 { throw Planted() }
        },
        PlantedDefect(
            testDescription: "a race that needs one order of five tasks",
            code: .failedSeed,
            seed: 435
        ) { _ in
            let order = Recorded<Int>()
            await withDiscardingTaskGroup { group in
                for number in 0..<5 { group.addTask { order.note(number) } }
            }
            if order.values == [4, 3, 2, 1, 0] { throw Planted() }
        },
        PlantedDefect(
            testDescription: "two locks taken in opposite orders",
            code: .deadlock,
            seed: 0,
            pending: [
                "task 3 (of 1) is held at the gate \"a\"",
                "task 2 (of 1) is held at the gate \"b\"",
                "task 2 (of 1), plain or detached, has not ended",
                "task 3 (of 1), plain or detached, has not ended",
            ]
        ) { _ in
            let locks = [AsyncLock("a"), AsyncLock("b")]
            let first = Task.detached { await locks[0].hold { await locks[1].hold {} } }
            let second = Task.detached { await locks[1].hold { await locks[0].hold {} } }
            await first.value
            await second.value
        },
        PlantedDefect(
            testDescription: "a wake-up that comes before the waiter",
            code: .deadlock,
            seed: 0,
            pending: [
                "task 2 (of 1) is held at the gate \"wake-up\"",
                "task 2 (of 1), plain or detached, has not ended",
            ]
        ) { _ in
            let gate = Gate("wake-up")
            let waiter = Task { try await gate.pass() }
            let waker = Task.detached { gate.release() }
            await waker.value
            try await waiter.value
        },
        PlantedDefect(
            testDescription: "a task that is left behind when the cancellation comes late",
            code: .leftover,
            seed: 1,
            pending: [
                "task \"poll\" has not ended",
                "\"poll\" sleeps until 60 s",
            ]
        ) { simulation in
            let isStopped = Recorded<Void>()
            _ = simulation.runtime.start("poll") {
                if isStopped.values.isEmpty {
                    try? await simulation.runtime.sleep(for: .seconds(60))
                }
            }
            await simulation.yield()
            isStopped.note(())
        },
        PlantedDefect(
            testDescription: "a continuation dropped when two timers tie",
            code: .deadlock,
            seed: 0,
            pending: [
                "task 2 (of 1), plain or detached, has not ended"
            ]
        ) { simulation in
            let mailbox = DroppingMailbox()
            let reader = Task {
                try await simulation.runtime.sleep(for: .seconds(1))
                await mailbox.read()
            }
            try await simulation.runtime.sleep(for: .seconds(1))
            await mailbox.write()
            try await reader.value
        },
    ]
}

private struct Planted: Error {}

private actor RacyTokens {
    private var isFresh = false
    private(set) var refreshes = 0

    func use() async {
        guard !isFresh else { return }
        await Task.yield()
        refreshes += 1
        isFresh = true
    }
}

private actor AsyncLock {
    private let gate: Gate
    private var isHeld = false

    init(_ name: String) { gate = Gate(name) }

    func hold(_ body: @Sendable () async -> Void) async {
        if isHeld { try? await gate.pass() }
        isHeld = true
        await body()
        isHeld = false
        gate.release()
    }
}

/// Forgets its reader if it writes first.
private actor DroppingMailbox {
    private var reader: CheckedContinuation<Void, Never>?

    func read() async { await withCheckedContinuation { reader = $0 } }

    func write() {
        reader?.resume()
        reader = nil
    }
}
