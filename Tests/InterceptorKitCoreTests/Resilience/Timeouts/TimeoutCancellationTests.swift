import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestRun
import TestSupport
import Testing

@Suite("TimeoutInterceptor and cancellation")
struct TimeoutCancellationTests {
    @Test("a timeout and a cancellation at one instant make one outcome")
    func sameInstant() async throws {
        let outcomes = Recorder<String>()
        try await besideOtherTests {
            try simulate(seeds: 0..<(2 * seedCount)) { simulation in
                let inFlight = Recorder<Int>()
                let transport = Echo<Int> { input, call in
                    inFlight.note(1)
                    defer { inFlight.note(-1) }
                    try await call.runtime.sleep(for: .seconds(60))
                    return input
                }
                let pipeline = try Pipeline(transport: transport, runtime: simulation.runtime) {
                    TimeoutInterceptor<Int>(total: .seconds(10))
                }
                let wasAsked = Recorder<Bool>()

                let outcome = await withTaskGroup(of: Void.self) { group in
                    let ended = Recorder<(any Error, Bool)>()
                    group.addTask {
                        do {
                            _ = try await pipeline.run(1)
                        } catch {
                            ended.note((error, !wasAsked.entries.isEmpty))
                        }
                    }
                    try? await simulation.runtime.sleep(for: .seconds(10))
                    if ended.entries.isEmpty { wasAsked.note(true) }
                    group.cancelAll()
                    await group.waitForAll()
                    return ended.entries
                }

                try requireEqual(outcome.count, 1)
                try requireEqual(inFlight.entries, [1, -1])
                try requireEqual(simulation.now.offset, .seconds(10))
                let (error, _) = outcome[0]
                outcomes.note(error is CancellationError ? "cancellation" : "timeout")
                if error is CancellationError { try require(!wasAsked.entries.isEmpty) }
            }
        }

        // Both orders occur among the seeds, so the test has seen the race.
        expectEqual(Set(outcomes.entries), ["cancellation", "timeout"])
    }

    @Test("a cancellation before the timeout is the outcome, even if it ends late")
    func askedFirst() async throws {
        try await onEverySeed { simulation in
            let transport = Echo<Int> { input, call in
                do {
                    try await call.runtime.sleep(for: .seconds(60))
                } catch {
                    // Holds the work up until its time is over too.
                    await withTaskGroup(of: Void.self) { group in
                        let runtime = call.runtime
                        let nap = runtime.start("nap") {
                            try? await runtime.sleep(for: .seconds(5))
                        }
                        group.addTask { await nap.value }
                    }
                    throw error
                }
                return input
            }
            let pipeline = try Pipeline(transport: transport, runtime: simulation.runtime) {
                TimeoutInterceptor<Int>(total: .seconds(10))
            }
            let error = await withTaskGroup(of: (any Error)?.self) { group in
                group.addTask {
                    do {
                        _ = try await pipeline.run(1)
                        return nil
                    } catch {
                        return error
                    }
                }
                try? await simulation.runtime.sleep(for: .seconds(8))
                group.cancelAll()
                return await group.next() ?? nil
            }

            try require(error is CancellationError)
            try requireEqual(simulation.now.offset, .seconds(13))
        }
    }

    @Test("each call has one outcome in any schedule, and nothing keeps running")
    func property() async throws {
        let outcomes = Recorder<String>()
        try await besideOtherTests {
            try simulate(seeds: 0..<(2 * seedCount)) { simulation in
                outcomes.note(try await TimeoutStorm(simulation).run())
            }
        }

        expectEqual(
            Set(outcomes.entries),
            ["200", "503", "attempt", "total", "cancelled"],
            "Not every way to end was met."
        )
    }
}

/// One call with random limits, answers and cancellation, in a simulation's time.
private struct TimeoutStorm {
    let simulation: Simulation
    let inFlight = Recorder<Int>()
    let cancelled = Recorder<Bool>()
    let late = Recorder<Int>()

    init(_ simulation: Simulation) { self.simulation = simulation }

    private func seconds(below limit: Int) -> Duration {
        .seconds(Int(simulation.runtime.random() % UInt64(limit)))
    }

    func run() async throws -> String {
        let transport = ScriptedTransport<HTTP.Request> { _, call in
            if !cancelled.entries.isEmpty { late.note(1) }
            inFlight.note(1)
            defer { inFlight.note(-1) }
            try await call.runtime.sleep(for: seconds(below: 8))
            return HTTP.Response(call.runtime.random() % 2 == 0 ? 200 : 503)
        }
        let (total, attempt) = (seconds(below: 12) + .seconds(1), seconds(below: 6) + .seconds(1))
        var policy = RetryPolicy<HTTP.Request>.standard
        policy.backoff = Backoff(base: .seconds(2), cap: .seconds(4), jitter: .equal)
        let client = try simulation.client(transport) { [policy] in
            TimeoutInterceptor(total: total)
            RetryInterceptor(policy: policy)
            TimeoutInterceptor(attempt: attempt)
        }
        let ends = Recorder<String>()
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                do {
                    ends.note("\(try await client.send(.get(orders)).status.code)")
                } catch let error as TimeoutError {
                    ends.note(error.code.description)
                } catch {
                    ends.note(error is CancellationError ? "cancelled" : "\(error)")
                }
                if inFlight.entries.reduce(0, +) != 0 { ends.note("left something running") }
            }
            if simulation.runtime.random() % 3 == 0 {
                try? await simulation.runtime.sleep(for: seconds(below: 14))
                cancelled.note(true)
                group.cancelAll()
            }
            await group.waitForAll()
        }
        try requireEqual(ends.entries.count, 1, "\(ends.entries)")
        try require(late.entries.isEmpty)
        try require(simulation.now.offset <= .seconds(14))
        return ends.entries[0]
    }
}
