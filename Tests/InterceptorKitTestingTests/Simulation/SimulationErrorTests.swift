import Expectations
import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitTesting
import Synchronization
import Testing

@Suite struct SimulationErrorTests {
    @Test("a continuation that is never resumed is reported as a deadlock")
    func lostContinuation() throws {
        let error = #expect(throws: SimulationError.self) {
            try Simulation.run(seed: 9) { simulation in
                simulation.record("about to wait")
                await LostSignal.shared.wait()
            }
        }

        expectEqual(error?.code, .deadlock)
        expectEqual(error?.seed, 9)
        expectEqual(error?.trace, ["0 s about to wait"])
        LostSignal.shared.free()
    }

    @Test("a deadlock names the gate, the task it holds and unfinished tasks")
    func heldForEver() throws {
        let error = #expect(throws: SimulationError.self) {
            try Simulation.run { simulation in
                let gate = Gate("token refresh")
                let refresh = simulation.runtime.start("refresh") { try? await gate.pass() }
                try await simulation.runtime.sleep(for: .seconds(2))
                await refresh.value
            }
        }

        expectEqual(error?.code, .deadlock)
        expectEqual(error?.message.contains("at 2 s with seed 0"), true)
        expectEqual(
            error?.pending,
            [
                "task \"refresh\" has not ended",
                "\"refresh\" is held at the gate \"token refresh\"",
            ]
        )
    }

    @Test("a wait for arrivals that never happen is named in the error")
    func arrivals() throws {
        let error = #expect(throws: SimulationError.self) {
            try Simulation.run { _ in try await Gate("orders").waitForArrivals(2) }
        }

        expectEqual(error?.pending, ["\"body\" waits until 2 are held at the gate \"orders\""])
    }

    @Test("a task leaked by the body is named with its sleep, and cancelled")
    func leftover() throws {
        let cancelled = Recorded<Bool>()

        let error = #expect(throws: SimulationError.self) {
            try Simulation.run { simulation in
                _ = simulation.runtime.start("refresh") {
                    do {
                        try await simulation.runtime.sleep(for: .seconds(5))
                    } catch {
                        cancelled.note(true)
                    }
                }
            }
        }

        expectEqual(error?.code, .leftover)
        expectEqual(
            error?.pending,
            [
                "task \"refresh\" has not ended", "\"refresh\" sleeps until 5 s",
            ]
        )
        expectEqual(cancelled.values, [true])
    }

    @Test("a task cancelled before the body ended may unwind after it")
    func unwinding() throws {
        let trace = try Simulation.run { simulation in
            let refresh = simulation.runtime.start("refresh") {
                try? await simulation.runtime.sleep(for: .seconds(5))
                simulation.record("unwound")
            }
            try await simulation.runtime.sleep(for: .seconds(1))
            refresh.cancel()
            return simulation
        }.trace

        expectEqual(trace, ["1 s unwound"])
    }

    @Test("the body's own error is thrown first, and leaked tasks are cancelled")
    func failedBody() throws {
        struct Refusal: Error {}
        let cancelled = Recorded<Bool>()

        #expect(throws: Refusal.self) {
            try Simulation.run { simulation in
                _ = simulation.runtime.start("refresh") {
                    try? await simulation.runtime.sleep(for: .seconds(5))
                    cancelled.note(Task.isCancelled)
                }
                throw Refusal()
            }
        }

        expectEqual(cancelled.values, [true])
    }

    @Test("an endless run stops at its step limit", arguments: [true, false])
    func runaway(sleeping: Bool) throws {
        let error = #expect(throws: SimulationError.self) {
            try Simulation.run(stepLimit: 1_000) { simulation in
                while !Task.isCancelled {
                    if sleeping {
                        try await simulation.runtime.sleep(for: .seconds(1))
                    } else {
                        await simulation.yield()
                    }
                }
            }
        }

        expectEqual(error?.code, .runaway)
        expectEqual(error?.message.contains("more than 1000 steps"), true)
    }

    @Test("the description lists the message, what is pending and the trace")
    func description() {
        let error = SimulationError(
            .deadlock,
            "Nothing can run.",
            pending: ["\"a\" sleeps until 1 s"],
            trace: ["0 s begun"]
        )

        expectEqual(
            "\(error)",
            """
            Nothing can run.
            - "a" sleeps until 1 s
            Trace:
              0 s begun
            """
        )
    }
}

/// A signal that is never given while a test waits for it.
private final class LostSignal: Sendable {
    static let shared = LostSignal()

    private let waiter = Lock<CheckedContinuation<Void, Never>?>(nil)

    func wait() async {
        await withCheckedContinuation { continuation in
            waiter.withLock { $0 = continuation }
        }
    }

    func free() { waiter.withLock { $0.take() }?.resume() }
}
