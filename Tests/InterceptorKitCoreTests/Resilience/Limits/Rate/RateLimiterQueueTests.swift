import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestRun
import TestSupport
import Testing

@Suite("RateLimiterQueue")
struct RateLimiterQueueTests {
    @Test("starts calls at the rate after a burst, in order of arrival")
    func rate() async throws {
        let times = try await onEverySeed { simulation in
            let pipeline = try simulation.paced(RateLimiter(policy: RateLimitPolicy(calls: 2)))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<5 { group.addTask { _ = try await pipeline.run(number) } }
                try await group.waitForAll()
            }
            return simulation.trace.map { $0.prefix { $0 != "s" } }
        }

        expectEqual(times, ["0 ", "0 ", "0.5 ", "1 ", "1.5 "])
    }

    @Test("rejects a call at once if its turn would come after its deadline")
    func deadline() async throws {
        try await onEverySeed(0..<200) { simulation in
            let runtime = simulation.runtime
            let limiter = RateLimiter(policy: RateLimitPolicy(calls: 2))
            let pipeline = try simulation.paced(limiter)
            for number in 0..<2 { _ = try await pipeline.run(number) }
            let waiting = Task.child(in: simulation) { try await pipeline.run(2) }
            while limiter.waiting() == 0 { await simulation.yield() }

            let error = await failure(of: LimitError.self) {
                try await pipeline.run(
                    3,
                    call: Call(runtime: runtime).withDeadline(within: .milliseconds(900))
                )
            }
            guard runtime.now.offset == .zero else { throw Problem(text: "it waited") }

            _ = try await waiting.value
            try requireEqual(error?.code, .rate)
            try requireEqual(error?.retryAfter, .seconds(1))
            try requireEqual(error?.classification.isUnsent, true)
            try requireEqual(
                error?.message,
                "This client's own rate limit is used up: the next call can begin in 1 s, after this call's "
                    + "deadline. Nothing was sent."
            )
        }
    }

    @Test("moves the calls behind a cancelled one up")
    func cancelledWaiter() async throws {
        let trace = try await onEverySeed { simulation in
            let runtime = simulation.runtime
            let limiter = RateLimiter(policy: RateLimitPolicy(calls: 1, per: .seconds(10)))
            let pipeline = try simulation.paced(limiter)
            let calls = (0..<4).map { number in
                Task.child(in: simulation) {
                    try await runtime.sleep(for: .seconds(number))
                    return try await pipeline.run(number)
                }
            }
            try await runtime.sleep(for: .seconds(5))
            calls[1].cancel()
            guard await calls[1].result.isCancelled, runtime.now.offset == .seconds(5) else {
                throw Problem()
            }
            for number in [0, 2, 3] { _ = try await calls[number].value }
            return simulation.trace
        }

        expectEqual(trace, ["0 s 0", "10 s 2", "20 s 3"])
    }

    @Test("does not let light calls overtake a heavy one, and goes on without it")
    func heavyWaiter() async throws {
        for (isCancelled, expected) in [
            (false, ["0 s 0", "4 s 1", "5 s 2"]), (true, ["0 s 0", "1 s 2"]),
        ] {
            let trace = try await onEverySeed { simulation in
                let runtime = simulation.runtime
                let limiter = RateLimiter(policy: RateLimitPolicy(calls: 1, burst: 4))
                let pipeline = try simulation.paced(limiter)
                let calls = [4, 4, 1].enumerated().map { number, permits in
                    Task.child(in: simulation) {
                        try await runtime.sleep(for: .milliseconds(number))
                        var call = Call(runtime: runtime)
                        call.permits = permits
                        return try await pipeline.run(number, call: call)
                    }
                }
                try await runtime.sleep(for: .milliseconds(500))
                guard limiter.waiting() == 2 else { throw Problem() }
                if isCancelled { calls[1].cancel() }
                for call in calls { _ = await call.result }
                return simulation.trace
            }

            expectEqual(trace, expected)
        }
    }

    @Test("goes on at once without a heavy call that a quota rules out")
    func heavyRefused() async throws {
        let trace = try await onEverySeed { simulation in
            let runtime = simulation.runtime
            var policy = RateLimitPolicy(calls: 1, burst: 9)
            policy.isOnePartition = true
            let limiter = RateLimiter(policy: policy)
            let pipeline = try Pipeline(
                transport: Echo<Int> { input, call in
                    simulation.record("\(input)")
                    if input == 0 { try await call.runtime.sleep(for: .seconds(1)) }
                    return input
                },
                runtime: runtime
            ) {
                RateLimitInterceptor(limiter) { output, _ in
                    output == 0 ? .quota(remaining: 1, resetsIn: .seconds(60)) : nil
                }
            }
            // The heavy one could begin at 9 s. At 1 s the server leaves one call, for which there is room.
            await withTaskGroup(of: Void.self) { group in
                for (number, permits, limit) in [(0, 9, 99), (1, 9, 20), (2, 1, 99)] {
                    group.addTask {
                        try? await runtime.sleep(for: .milliseconds(number))
                        var call = Call(runtime: runtime).withDeadline(within: .seconds(limit))
                        call.permits = permits
                        _ = try? await pipeline.run(number, call: call)
                    }
                }
            }
            return simulation.trace
        }

        expectEqual(trace, ["0 s 0", "1 s 2"])
    }

    @Test("refuses more permits than it ever gives at once, and says so")
    func tooManyPermits() throws {
        let (error, sends) = try Simulation.run { simulation in
            let pipeline = try simulation.paced(RateLimiter(policy: RateLimitPolicy(calls: 3)))
            var call = Call(runtime: simulation.runtime)
            call.permits = 4
            let error = await failure(of: SettingError.self) {
                try await pipeline.run(1, call: call)
            }
            return (error, simulation.trace.count)
        }

        expectEqual(
            error?.description,
            "Call.permits is 4 and must be at most 3. More are never given at once: that is RateLimitPolicy.burst. "
                + "Raise it, or take fewer."
        )
        expectEqual(sends, 0)
    }

    @Test("rejects waiting calls at once whose deadline ends before a pause")
    func pauseForWaiting() async throws {
        let outcome = try await onEverySeed { simulation in
            let runtime = simulation.runtime
            var policy = RateLimitPolicy(calls: 1, per: .seconds(2))
            policy.isOnePartition = true
            let limiter = RateLimiter(policy: policy)
            let gate = Gate("answer")
            let transport = ScriptedTransport<HTTP.Request> { _, _ in
                try await gate.pass()
                return HTTP.Response(503, headers: ["Retry-After": "30"])
            }
            let client = try simulation.client(transport) { RateLimitInterceptor(limiter) }
            let first = Task.child(in: simulation) { try await client.send(.get(orders)) }
            try await gate.waitForArrivals(1)
            let hasty = Task.child(in: simulation) {
                try await client.send(.get(orders), timeout: .seconds(20))
            }
            let patient = Task.child(in: simulation) {
                try await client.send(.get(orders), timeout: .seconds(100))
            }
            try await runtime.sleep(for: .seconds(1))
            guard limiter.waiting("https://api.example.com") == 2 else { throw Problem() }

            gate.open()
            _ = try await first.value
            let error = await failure(of: LimitError.self) { try await hasty.value }
            let refused = runtime.now.offset
            _ = try await patient.value
            return ("\(error?.code.description ?? "-")", refused, runtime.now.offset)
        }

        expectEqual(outcome.0, "rate")
        expectEqual(outcome.1, .seconds(1))
        expectEqual(outcome.2, .seconds(31))
    }

    @Test("limits its queue")
    func queueLimit() async throws {
        let code = try await onEverySeed(0..<20) { simulation in
            var policy = RateLimitPolicy(calls: 1)
            policy.queueLimit = 1
            let limiter = RateLimiter(policy: policy)
            let pipeline = try simulation.paced(limiter)
            _ = try await pipeline.run(0)
            let waiting = Task.child(in: simulation) { try await pipeline.run(1) }
            while limiter.waiting() == 0 { await simulation.yield() }
            let error = await failure(of: LimitError.self) { try await pipeline.run(2) }
            _ = try await waiting.value
            return error?.code
        }

        expectEqual(code, .tooManyCalls)
    }

    @Test("starts no call too early and leaves none waiting, despite cancels")
    func storm() async throws {
        try await onEverySeed(0..<(2 * seedCount)) { simulation in
            let runtime = simulation.runtime
            let limiter = RateLimiter(
                policy: RateLimitPolicy(calls: 10, per: .seconds(1), burst: 3)
            )
            let begun = Recorder<Double>()
            let pipeline = try Pipeline(
                transport: Echo<Int> { input, call in
                    for _ in 0..<call.permits {
                        begun.note(call.runtime.now.offset.inSeconds)
                    }
                    if input % 10 == 0 { throw Throttled(wait: .milliseconds(300)) }
                    return input
                },
                runtime: runtime
            ) {
                RateLimitInterceptor(limiter)
            }
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<40 {
                    let draws = (0..<4).map { _ in Int(runtime.random() % 1000) }
                    group.addTask {
                        try? await runtime.sleep(for: .milliseconds(draws[0]))
                        let call = Task.child(in: simulation) {
                            let limit = Duration.milliseconds(draws[3] * 3)
                            var call = Call(runtime: runtime).withDeadline(within: limit)
                            call.permits = max(1, draws[1] % 7 - 3)
                            return try await pipeline.run(draws[1], call: call)
                        }
                        try? await runtime.sleep(for: .milliseconds(draws[2] * 2))
                        call.cancel()
                        _ = await call.result
                    }
                }
            }

            try requireEqual(limiter.waiting(), 0)
            let times = begun.entries
            for (first, start) in times.enumerated() {
                for (last, end) in times.enumerated().dropFirst(first) {
                    try require(Double(last - first + 1) <= 3.001 + (end - start) * 10)
                }
            }
        }
    }
}

extension Simulation {
    /// A pipeline that records each call as it begins.
    fileprivate func paced(_ limiter: RateLimiter) throws -> Pipeline<Int> {
        try Pipeline(
            transport: Echo<Int> { [self] input, _ in
                record("\(input)")
                return input
            },
            runtime: runtime
        ) {
            RateLimitInterceptor(limiter)
        }
    }
}
