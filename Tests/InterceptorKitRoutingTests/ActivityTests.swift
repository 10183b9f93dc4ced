import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitTesting
import TestRun
import Testing

@testable import InterceptorKitRouting

@Suite("Activity, with an idle timeout of 2 s and 9 s in all")
struct ActivityTests {
    private struct Mishap: Error {}

    private struct Unexpected: Error {
        var ending: String
        var after: Duration
    }

    @Test("does not pass during a pause, and starts again after it")
    func pause() async throws {
        try await expect("No data was transferred for 2.0 s.", after: .seconds(7)) {
            activity,
            runtime in
            try await runtime.sleep(for: .seconds(1))
            try await activity.pausing { try await runtime.sleep(for: .seconds(4)) }
            try await runtime.sleep(for: .seconds(3600))
        }
    }

    @Test("pauses no longer than the time in all")
    func overall() async throws {
        try await expect("It did not end within 9.0 s.", after: .seconds(9)) { activity, runtime in
            try await activity.pausing { try await runtime.sleep(for: .seconds(3600)) }
        }
    }

    @Test("ends a pause also where what it waits for fails")
    func failedPause() async throws {
        try await expect("No data was transferred for 2.0 s.", after: .seconds(5)) {
            activity,
            runtime in
            try? await activity.pausing {
                try await runtime.sleep(for: .seconds(3))
                throw Mishap()
            }
            try await runtime.sleep(for: .seconds(3600))
        }
    }

    @Test("passes on what is thrown before any limit")
    func ownError() async throws {
        try await expect("Mishap()", after: .seconds(1)) { _, runtime in
            try await runtime.sleep(for: .seconds(1))
            throw Mishap()
        }
    }

    private func expect(
        _ expected: String,
        after elapsed: Duration,
        _ body: @escaping @Sendable (Activity, Runtime) async throws -> Void
    ) async throws {
        try await besideOtherTests {
            try simulate(seeds: 0..<20) { simulation in
                let runtime = simulation.runtime
                let start = simulation.now
                var ending = "done"
                do {
                    try await withIdleTimeout(.seconds(2), overall: .seconds(9), on: runtime) {
                        try await body($0, runtime)
                    }
                } catch {
                    ending = (error as? TransportError)?.message ?? "\(error)"
                }

                // Thrown, because a simulation's tasks are not known to the test.
                let took = start.duration(to: simulation.now)
                guard ending == expected, took == elapsed else {
                    throw Unexpected(ending: ending, after: took)
                }
            }
        }
    }
}
