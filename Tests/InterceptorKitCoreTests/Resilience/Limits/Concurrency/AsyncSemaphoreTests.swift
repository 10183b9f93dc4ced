import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestRun
import TestSupport
import Testing

@Suite("AsyncSemaphore")
struct AsyncSemaphoreTests {
    @Test("removes a cancelled call from the queue at once, and no other")
    func cancelledWaiter() async throws {
        let order = try await onEverySeed { simulation in
            let runtime = simulation.runtime
            let limiter = ConcurrencyLimiter(
                policy: ConcurrencyLimitPolicy(limit: 1, queueLimit: 3)
            )
            let recorder = Recorder<Int>()
            let pipeline = try slow(recorder, runtime) { ConcurrencyLimitInterceptor(limiter) }
            let calls = (0..<4).map { number in
                Task.child(in: simulation) {
                    try await runtime.sleep(for: .seconds(number))
                    return try await pipeline.run(number)
                }
            }
            try await runtime.sleep(for: .seconds(5))
            guard limiter.waiting() == 3 else { throw Problem() }

            calls[2].cancel()
            guard await calls[2].result.isCancelled, runtime.now.offset == .seconds(5) else {
                throw Problem()
            }
            guard limiter.waiting() == 2 else { throw Problem() }

            for call in [calls[0], calls[1], calls[3]] { _ = try await call.value }
            guard limiter.inFlight() == 0 else { throw Problem(text: "a permit is lost") }
            return recorder.entries
        }

        expectEqual(order, [0, 1, 3])
    }

    @Test("lets several calls go on where a heavy one was, or gave up")
    func heavy() async throws {
        for isCancelled in [false, true] {
            let begun = try await onEverySeed { simulation in
                let runtime = simulation.runtime
                let limiter = ConcurrencyLimiter(
                    policy: ConcurrencyLimitPolicy(limit: 3, queueLimit: 9)
                )
                let pipeline = try Pipeline(
                    transport: Echo<Int> { input, call in
                        simulation.record("\(input)")
                        try await call.runtime.sleep(for: .seconds(10))
                        return input
                    },
                    runtime: runtime
                ) {
                    ConcurrencyLimitInterceptor(limiter)
                }
                let calls = [1, 3, 1, 1].enumerated().map { number, permits in
                    Task.child(in: simulation) {
                        try await runtime.sleep(for: .seconds(number))
                        var call = Call(runtime: runtime)
                        call.permits = permits
                        return try await pipeline.run(number, call: call)
                    }
                }
                try await runtime.sleep(for: .seconds(5))
                guard limiter.waiting() == 3, limiter.inFlight() == 1 else { throw Problem() }
                if isCancelled { calls[1].cancel() }
                for call in calls { _ = await call.result }
                guard limiter.inFlight() == 0 else { throw Problem(text: "a permit is lost") }
                // Those that begin at the same time run in any order.
                return simulation.trace.sorted()
            }

            expectEqual(
                begun,
                isCancelled
                    ? ["0 s 0", "5 s 2", "5 s 3"] : ["0 s 0", "10 s 1", "20 s 2", "20 s 3"]
            )
        }
    }

    @Test("refuses more permits than there are, and says so")
    func tooManyPermits() async {
        let pipeline = try? Pipeline(transport: Echo<Int> { input, _ in input }) {
            ConcurrencyLimitInterceptor(policy: ConcurrencyLimitPolicy(limit: 2))
        }
        var call = Call()
        call.permits = 3
        let error = await failure(of: SettingError.self) { [call] in
            try await pipeline?.run(1, call: call)
        }

        expectEqual(
            error?.description,
            "Call.permits is 3 and must be at most 2. More are never given at once: that is "
                + "ConcurrencyLimitPolicy.limit. Raise it, or take fewer."
        )
    }

    @Test("makes a call wait no longer than its deadline, and then says so")
    func deadline() async throws {
        let (message, time) = try await onEverySeed(0..<200) { simulation in
            let server = Server(answering: 200)
            let gate = server.hold()
            let limiter = ConcurrencyLimiter(
                policy: ConcurrencyLimitPolicy(limit: 1, queueLimit: 1, scope: .eachAuthority())
            )
            let client = try simulation.client(server.transport) {
                ConcurrencyLimitInterceptor(limiter)
            }
            let first = Task.child(in: simulation) { try await client.send(.get(orders)) }
            try await gate.waitForArrivals(1)
            let error = await failure(of: LimitError.self) {
                try await client.send(.get(orders), timeout: .seconds(7))
            }
            let time = simulation.now.offset
            gate.open()
            _ = try await first.value
            guard limiter.inFlight("https://api.example.com") == 0 else { throw Problem() }
            return ("\(error?.code.description ?? "-"): \(error?.message ?? "-")", time)
        }

        expectEqual(time, .seconds(7))
        expectEqual(
            message,
            "waitedTooLong: None of the calls to https://api.example.com that are under way ended in "
                + "the 7 s that this one could wait. Nothing was sent."
        )
    }

    @Test("has all its permits again after any cancellations")
    func storm() async throws {
        try await onEverySeed(0..<(2 * seedCount)) { simulation in
            let runtime = simulation.runtime
            let limiter = ConcurrencyLimiter(
                policy: ConcurrencyLimitPolicy(limit: 3, queueLimit: 20)
            )
            let load = Load()
            let pipeline = try Pipeline(
                transport: Echo<Int> { input, call in
                    try require(limiter.inFlight() <= 3)
                    return try await load.during {
                        try await call.runtime.sleep(for: .milliseconds(input % 50))
                        if input % 7 == 0 { throw Problem() }
                        return input
                    }
                },
                runtime: runtime
            ) {
                ConcurrencyLimitInterceptor(limiter)
            }
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<40 {
                    let draws = (0..<3).map { _ in Int(runtime.random() % 100) }
                    group.addTask {
                        try? await runtime.sleep(for: .milliseconds(draws[0]))
                        let call = Task.child(in: simulation) {
                            var call = Call(runtime: runtime)
                                .withDeadline(within: .milliseconds(60))
                            call.permits = draws[1] % 3 + 1
                            return try await pipeline.run(draws[1], call: call)
                        }
                        try? await runtime.sleep(for: .milliseconds(draws[2]))
                        call.cancel()
                        _ = await call.result
                    }
                }
            }

            try requireEqual(limiter.inFlight(), 0)
            try requireEqual(limiter.waiting(), 0)
            try require(load.most <= 3)
        }
    }

    @Test("loses and creates no permit under 10,000 calls on real threads")
    func threads() async throws {
        let limiter = ConcurrencyLimiter(
            policy: ConcurrencyLimitPolicy(limit: 4, queueLimit: 10_000)
        )
        let load = Load()
        let pipeline = try Pipeline(
            transport: Echo<Int> { input, _ in
                await load.during { await Task.yield() }
                return input
            }
        ) {
            ConcurrencyLimitInterceptor(limiter)
        }

        let ended = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<10_000 {
                group.addTask {
                    let call = Task { try await pipeline.run(number) }
                    if number % 3 == 0 { call.cancel() }
                    let result = await call.result
                    return result.isCancelled || (try? result.get()) == number
                }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }

        expectEqual(ended, 10_000)
        expectEqual(limiter.inFlight(), 0)
        expectEqual(limiter.waiting(), 0)
        expectTrue(load.most <= 4)
    }
}

/// A pipeline whose calls take ten seconds, noted as they begin.
private func slow(
    _ recorder: Recorder<Int>,
    _ runtime: Runtime,
    @InterceptorBuilder<Int> _ interceptors: () -> [any Interceptor<Int>]
) throws -> Pipeline<Int> {
    try Pipeline(
        transport: Echo<Int> { input, call in
            recorder.note(input)
            try await call.runtime.sleep(for: .seconds(10))
            return input
        },
        runtime: runtime,
        interceptors
    )
}
