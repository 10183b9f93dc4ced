import Expectations
import InterceptorKit
import InterceptorKitTesting
import Synchronization
import TestSupport
import Testing

@Suite("The standard chain does no harm")
struct StandardHarmTests {
    /// A world with calls that go well and others that do not.
    struct World: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// Seconds between calls that go well, and between the others.
        let well: Double
        let other: Double
        /// What becomes of the others.
        let reply: @Sendable (Call) async throws -> HTTP.Response

        init(
            _ name: String,
            well: Double,
            other: Double,
            _ reply: @escaping @Sendable (Call) async throws -> HTTP.Response
        ) {
            testDescription = name
            self.well = well
            self.other = other
            self.reply = reply
        }

        static func slow(_ seconds: Int, well: Double, other: Double) -> World {
            World("a route that takes \(seconds) s", well: well, other: other) { call in
                try await call.runtime.sleep(for: .seconds(seconds))
                return HTTP.Response(200)
            }
        }

        static func throttled(_ wait: String?, well: Double, other: Double) -> World {
            World("a tenant over its quota", well: well, other: other) { _ in
                HTTP.Response(429, headers: wait.map { ["Retry-After": $0] } ?? [:])
            }
        }
    }

    @Test(
        "refuses and delays no call because of what others met",
        arguments: [
            .throttled("30", well: 1, other: 1), .throttled("30", well: 0.2, other: 1),
            .throttled("3600", well: 60, other: 1), .throttled(nil, well: 1, other: 1),
            .slow(60, well: 5, other: 30), .slow(60, well: 0.5, other: 1),
            .slow(60, well: 61, other: 0.1), .slow(8, well: 1, other: 1),
            World("a route that always fails", well: 1, other: 1) { _ in HTTP.Response(503) },
            World("a route that resets", well: 1, other: 0.1) { _ in
                throw TransportError(.connectionLost, "reset", isUnsent: false)
            },
        ] as [World]
    )
    func otherCalls(world: World) throws {
        for seed in 1...3 as ClosedRange<UInt64> {
            let late = try lateCalls(in: world, seed: seed)
            expectEqual(late, 0, "seed \(seed)")
        }
    }

    /// How many of the calls that go well failed or took longer than their 50 ms.
    private func lateCalls(in world: World, seed: UInt64) throws -> Int {
        let transport = ScriptedTransport<HTTP.Request> { request, call in
            if request.url.path == "/other" { return try await world.reply(call) }
            try await call.runtime.sleep(for: .milliseconds(50))
            return HTTP.Response(200)
        }
        return try Simulation.run(seed: seed) { simulation in
            let runtime = simulation.runtime
            let client = try HTTP.Client.standard(transport: transport, runtime: runtime)
            @Sendable func calls(_ path: String, each seconds: Double) async -> Int {
                await withTaskGroup(of: Bool.self) { group in
                    while runtime.now.offset < .seconds(240) {
                        group.addTask {
                            let began = runtime.now
                            let url: HTTP.URL = "https://api.example.com/\(raw: path)"
                            let response = try? await client.send(.get(url))
                            let took = began.duration(to: runtime.now)
                            return response?.status == .ok && took == .milliseconds(50)
                        }
                        try? await runtime.sleep(for: .seconds(seconds))
                    }
                    return await group.reduce(0) { $0 + ($1 ? 0 : 1) }
                }
            }
            async let others = calls("other", each: world.other)
            let late = await calls("well", each: world.well)
            _ = await others
            return late
        }
    }

    @Test("succeeds again as soon as a server does that was silent", arguments: [1, 7] as [UInt64])
    func outage(seed: UInt64) throws {
        let transport = ScriptedTransport<HTTP.Request> { _, call in
            if call.runtime.now.offset < .seconds(25) {
                try await call.runtime.sleep(for: .seconds(3600))
            }
            return HTTP.Response(200)
        }
        let failed = try Simulation.run(seed: seed) { simulation in
            let runtime = simulation.runtime
            let client = try HTTP.Client.standard(transport: transport, runtime: runtime)
            return await withTaskGroup(of: Runtime.Instant?.self) { group in
                for _ in 0..<300 {
                    group.addTask {
                        let began = runtime.now
                        return (try? await client.send(.get(orders))) == nil ? began : nil
                    }
                    try? await runtime.sleep(for: .milliseconds(200))
                }
                return await group.reduce(0) { count, began in
                    began.map { $0.offset >= .seconds(25) } ?? false ? count + 1 : count
                }
            }
        }

        expectEqual(failed, 0)
    }

    /// A failure now and then, for a client that makes one call a minute.
    static let failures: [[ScriptStep<HTTP.Request>]] = [
        [.status(429, headers: ["Retry-After": "1"]), .status(200), .status(503), .status(503)],
        [late, .status(200), .status(503), .status(200), .status(503)],
        [late, late, .status(200), .status(503), .status(200), .status(503)],
        [throttled, throttled, .status(200), .status(503), .status(200), .status(503)],
    ]
    private static let late = ScriptStep<HTTP.Request>.status(200).delayed(by: .seconds(60))
    private static let throttled = ScriptStep<HTTP.Request>.status(
        429,
        headers: ["Retry-After": "1"]
    )

    @Test("sends failures now and then again in a client of few calls", arguments: 0..<4)
    func fewCalls(number: Int) throws {
        let replies = Self.failures[number] + Array(repeating: .status(200), count: 9)
        let transport = ScriptedTransport<HTTP.Request>(replies: replies)
        let statuses = try Simulation.run(seed: 7) { simulation in
            let client = try HTTP.Client.standard(transport: transport, runtime: simulation.runtime)
            var statuses: [Int?] = []
            for _ in 0..<5 {
                statuses.append(try? await client.send(.get(orders)).status.code)
                try await simulation.runtime.sleep(for: .seconds(60))
            }
            return statuses
        }

        // Of two timeouts or two 429s in a row, the call itself fails.
        expectEqual(statuses.dropFirst().count { $0 == 200 }, 4)
    }

    @Test("says beside the attempts that the budget allows no other")
    func budget() async throws {
        let sink = RecordingEventSink()
        let error = try Simulation.run { simulation in
            let transport = ScriptedTransport<HTTP.Request> { _, _ in HTTP.Response(503) }
            let client = try HTTP.Client.standard(
                transport: transport,
                runtime: simulation.runtime,
                events: sink
            ) { ErrorFilterInterceptor() }
            _ = try? await client.send(.get(orders))
            return await failure(of: ResponseError.self) { try await client.send(.get(orders)) }
        }

        expectEqual(error?.attempts.count, 1)
        let text = error.map { "\($0)" } ?? ""
        expectTrue(
            text.hasSuffix(
                "attempt 1: 503 Service Unavailable, not sent again: the budget for sending again is used up"
            ),
            "\(text)"
        )
        let said = sink.events.last?.attributes
        expectEqual(said?["stop_reason"], .text("the budget for sending again is used up"))
        expectEqual(said?["input"], .text("GET \(orders)"))
    }

    @Test(
        "waits as long as a server asks, and at most a tenth or a second more",
        arguments: [(503, 1), (503, 2), (429, 1), (429, 5), (429, 30)]
    )
    func retryAfter(status: Int, seconds: Int) throws {
        for seed in 0..<30 as Range<UInt64> {
            let transport = ScriptedTransport<HTTP.Request>(replies: [
                .status(HTTP.Status(status), headers: ["Retry-After": "\(seconds)"]), .status(200),
            ])
            try Simulation.run(seed: seed) { simulation in
                let client = try HTTP.Client(
                    transport: transport,
                    timeout: .seconds(90),
                    runtime: simulation.runtime
                ) { RetryInterceptor(policy: .standard) }
                _ = try await client.send(.get(orders))
            }
            let sent = transport.sent.map(\.instant)
            let wait = sent[0].duration(to: sent[1])
            let longest = Duration.seconds(seconds) + min(.seconds(seconds) / 10, .seconds(1))
            expectTrue((.seconds(seconds)...longest).contains(wait), "\(wait)")
        }
    }
}
