import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestRun
import TestSupport
import Testing

@Suite("HedgeRace")
struct HedgeRaceTests {
    @Test("takes the hedge's response if it comes first, and ends the other")
    func hedgeFirst() async throws {
        let run = try await HedgeRun.of([
            .status(201).delayed(by: .seconds(9)), .status(202).delayed(by: .milliseconds(10)),
        ])

        let response = try run.result.get()
        expectEqual(response.status, 202)
        expectEqual(run.times, [.zero, .milliseconds(100)])
        expectEqual(run.elapsed, .milliseconds(110))
        expectEqual(
            response.attempts.map(\.description),
            ["attempt 1: superseded", "attempt 2: success"]
        )
    }

    @Test("takes the first attempt's response if first, and ends the hedge")
    func firstFirst() async throws {
        let run = try await HedgeRun.of([
            .status(201).delayed(by: .milliseconds(150)), .status(202).delayed(by: .seconds(9)),
        ])

        try expectEqual(run.result.get().status, 201)
        expectEqual(run.times.count, 2)
        expectEqual(run.elapsed, .milliseconds(150))
    }

    @Test("sends the next attempt at once after a transient failure")
    func nonFatal() async throws {
        let run = try await HedgeRun.of([.status(503).delayed(by: .milliseconds(20)), .status(200)])

        try expectEqual(run.result.get().status, 200)
        expectEqual(run.times, [.zero, .milliseconds(20)])
    }

    @Test("releases the first failure once another attempt has decided")
    func failedFirst() throws {
        let stream = CountingStream(chunks: 100)
        let status = try Simulation.run { simulation in
            let transport = ScriptedTransport<HTTP.Request>(replies: [
                .status(503, body: .oneShot(stream)), .status(200),
            ])
            let client = try simulation.client(transport) { HedgeInterceptor(policy: .prompt) }
            return try await client.send(.get(orders)).status
        }

        expectEqual(status, 200)
        expectEqual(stream.cancels, 1)
    }

    @Test("sends no hedge to a service that throttles")
    func throttled() async throws {
        let run = try await HedgeRun.of([.status(429).delayed(by: .milliseconds(20)), .status(200)])

        try expectEqual(run.result.get().status, 429)
        expectEqual(run.times, [.zero])
        expectEqual(run.elapsed, .milliseconds(20))
    }

    @Test("returns a permanent failure at once, and ends the other attempts")
    func fatal() async throws {
        let run = try await HedgeRun.of([
            .status(200).delayed(by: .seconds(9)), .status(400).delayed(by: .milliseconds(10)),
        ])

        try expectEqual(run.result.get().status, 400)
        expectEqual(run.elapsed, .milliseconds(110))
    }

    @Test("returns the first attempt's outcome if all fail, in any order")
    func allFail() async throws {
        let run = try await HedgeRun.of([
            .status(500, body: "first").delayed(by: .milliseconds(200)),
            .status(502).delayed(by: .milliseconds(10)),
        ])

        let response = try run.result.get()
        expectEqual(response.status, 500)
        try await expectEqual(response.text(), "first")
        expectEqual(
            response.attempts.map(\.reason),
            ["500 Internal Server Error", "502 Bad Gateway"]
        )
    }

    @Test("sends one hedge at each delay, up to its limit")
    func several() async throws {
        var policy = HedgePolicy<HTTP.Request>.prompt
        policy.maxAttempts = 4
        let slow = Array(
            repeating: ScriptStep<HTTP.Request>.status(200).delayed(by: .seconds(9)),
            count: 9
        )

        let run = try await HedgeRun.of(slow, policy: policy)

        expectEqual(run.times, [0, 100, 200, 300].map { .milliseconds($0) })
    }

    @Test("keeps the returned response's body readable, and releases the others")
    func bodies() async throws {
        try await onEverySeed(0..<(2 * seedCount)) { simulation in
            let runtime = simulation.runtime
            let streams = Recorder<CountingStream>()
            let transport = ScriptedTransport<HTTP.Request> { _, _ in
                // Answers in spite of being cancelled, as one may that comes at the same time.
                let wait = Duration.milliseconds(Int64(90 + runtime.random() % 40))
                let clock = runtime
                await Task { try? await clock.sleep(for: wait) }.value
                let stream = CountingStream(chunks: 8)
                streams.note(stream)
                return HTTP.Response(200, body: .oneShot(stream))
            }
            let client = try simulation.client(transport) { HedgeInterceptor(policy: .prompt) }

            let response = try await client.send(.get(orders))
            let others = streams.entries.filter { $0.cancels == 1 }.count

            try requireEqual(streams.entries.count, transport.sent.count)
            try requireEqual(others, streams.entries.count - 1)
            try await requireEqual(response.body.collect().count, 8 * 1024)
        }
    }

    @Test("ends every attempt as cancelled with the caller, and sends no more")
    func cancellation() async throws {
        try await onEverySeed(0..<(2 * seedCount)) { simulation in
            let runtime = simulation.runtime
            let running = Recorder<Int>()
            let transport = ScriptedTransport<HTTP.Request> { _, call in
                running.note(1)
                defer { running.note(-1) }
                try await call.runtime.sleep(for: .milliseconds(Int64(runtime.random() % 400)))
                return HTTP.Response(runtime.random() % 3 == 0 ? 200 : 503)
            }
            var policy = HedgePolicy<HTTP.Request>.prompt
            policy.maxAttempts = 3
            let client = try simulation.client(transport) { [policy] in
                HedgeInterceptor(policy: policy)
            }

            let (sends, result) = await simulation.send(
                to: client,
                over: transport,
                cancelledAfter: .milliseconds(Int64(runtime.random() % 300))
            )
            let left = running.entries.reduce(0, +)
            try await runtime.sleep(for: .seconds(100))

            try requireEqual(left, 0)
            try requireEqual(transport.sent.count, sends)
            if case .failure(let error) = result { try require(error is CancellationError) }
        }
    }
}
