import Expectations
import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitTesting
import Synchronization
import TestRun
import TestSupport
import Testing

@Suite("AdaptiveConcurrencyLimitInterceptor")
struct AdaptiveConcurrencyLimitInterceptorTests {
    private static let origin = "https://api.example.com"

    @Test("makes calls above the limit wait, for each authority")
    func limit() async throws {
        let outcome = try await onEverySeed(0..<50) { simulation in
            let server = Server(answering: 200)
            let gate = server.hold()
            let limit = AdaptiveConcurrencyLimitInterceptor<HTTP.Request>()
            let client = try simulation.client(server.transport) { limit }
            let calls = (0..<21).map { _ in
                Task.child(in: simulation) { try await client.send(.get(orders)) }
            }
            try await gate.waitForArrivals(20)
            let other = Task.child(in: simulation) {
                try await client.send(.get("https://other.example/"))
            }
            try await gate.waitForArrivals(21)
            try await simulation.runtime.sleep(for: .milliseconds(1))
            let waiting = limit.waiting(Self.origin)
            gate.open()
            for call in calls { _ = try await call.value }
            _ = try await other.value
            return (waiting, limit.inFlight(Self.origin), limit.waiting(Self.origin))
        }

        expectTrue(outcome == (1, 0, 0))
    }

    @Test("counts a heavy call as its permits, and lets it use any room")
    func permits() async throws {
        let outcome = try await onEverySeed(0..<20) { simulation in
            let server = Server(answering: 200)
            let gate = server.hold()
            let limit = AdaptiveConcurrencyLimitInterceptor<HTTP.Request>()
            let client = try simulation.client(server.transport) { limit }
            // 20 permits: 15 and 15 pass, since there was room, and the next one waits for both.
            let calls = [15, 15, 1].enumerated().map { number, permits in
                Task.child(in: simulation) {
                    try await simulation.runtime.sleep(for: .milliseconds(number))
                    return try await client.send(.get(orders)) { $0.permits = permits }
                }
            }
            try await simulation.runtime.sleep(for: .milliseconds(10))
            let before = (limit.inFlight(Self.origin), limit.waiting(Self.origin))
            gate.open()
            for call in calls { _ = try await call.value }
            return (before.0, before.1, limit.inFlight(Self.origin))
        }

        expectTrue(outcome == (30, 1, 0))
    }

    @Test("rejects a call that waits too long, or whose deadline comes first")
    func waiting() async throws {
        let outcome = try await onEverySeed(0..<20) { simulation in
            let server = Server(answering: 200)
            let gate = server.hold()
            var settings = AdaptiveConcurrencyLimit()
            settings.initial = 1
            let limit = AdaptiveConcurrencyLimitInterceptor<HTTP.Request>(settings)
            let client = try simulation.client(server.transport) { limit }
            let first = Task.child(in: simulation) { try await client.send(.get(orders)) }
            try await gate.waitForArrivals(1)
            let began = simulation.now
            let late = await failure(of: LimitError.self) { try await client.send(.get(orders)) }
            let waited = began.duration(to: simulation.now)
            gate.open()
            _ = try await first.value
            return (late?.code, waited, late?.classification.isUnsent)
        }

        expectEqual(outcome.0, .waitedTooLong)
        expectEqual(outcome.1, .seconds(3))
        expectEqual(outcome.2, true)
    }

    @Test("holds nobody back because a server throttles somebody")
    func throttled() throws {
        let offset = try Simulation.run { simulation in
            let transport = ScriptedTransport<HTTP.Request> { _, _ in
                HTTP.Response(429, headers: ["Retry-After": "30"])
            }
            let client = try simulation.client(transport) {
                AdaptiveConcurrencyLimitInterceptor<HTTP.Request>()
            }
            for _ in 0..<50 { _ = try await client.send(.get(orders)) }
            return simulation.now.offset
        }

        expectEqual(offset, .zero)
    }

    @Test("says that the client limits itself, and why")
    func reason() async throws {
        let (error, events) = try Simulation.run { simulation in
            let sink = RecordingEventSink()
            let transport = ScriptedTransport<HTTP.Request> { _, call in
                try await call.runtime.sleep(for: .seconds(60))
                return HTTP.Response(200)
            }
            var settings = AdaptiveConcurrencyLimit()
            settings.initial = 2
            settings.maxWait = .milliseconds(200)
            let client = try simulation.client(transport, events: sink) { [settings] in
                AdaptiveConcurrencyLimitInterceptor<HTTP.Request>(settings)
                TimeoutInterceptor<HTTP.Request>(attempt: .seconds(1))
            }
            let calls = (0..<2).map { _ in
                Task.child(in: simulation) { try await client.send(.get(orders)) }
            }
            for call in calls { _ = await call.result }
            // One within the limit, and one that finds out whether the silent server works again.
            let hanging = (0..<2).map { _ in
                Task.child(in: simulation) { try await client.send(.get(orders)) }
            }
            try await simulation.runtime.sleep(for: .milliseconds(1))
            let error = await failure(of: LimitError.self) { try await client.send(.get(orders)) }
            for call in hanging { _ = await call.result }
            return (error, sink.events.filter { $0.name == .limitAdapted })
        }

        expectEqual(
            error?.message,
            "This client limits itself to about 1 attempt to \(Self.origin) at once, because 2 of its last 2 "
                + "attempts timed out. This one's turn did not come within 0.2 s. Nothing was sent."
        )
        expectEqual(
            events.first?.attributes,
            [
                "from": .number(2), "to": .number(1), "timeouts": .number(2),
                "attempts": .number(2), "authority": .text(Self.origin),
            ]
        )
    }

    @Test("lets attempts through to a silent server, and all once it answers")
    func recovery() throws {
        let offset = try Simulation.run { simulation in
            let runtime = simulation.runtime
            let transport = ScriptedTransport<HTTP.Request> { _, call in
                if call.runtime.now.offset < .seconds(25) {
                    try await call.runtime.sleep(for: .seconds(3600))
                }
                return HTTP.Response(200)
            }
            let client = try simulation.client(transport) {
                AdaptiveConcurrencyLimitInterceptor<HTTP.Request>()
                TimeoutInterceptor<HTTP.Request>(attempt: .seconds(10))
            }
            return try await withThrowingTaskGroup(of: Runtime.Instant?.self) { group in
                for _ in 0..<200 {
                    group.addTask {
                        let response = try? await client.send(.get(orders))
                        return response.map { _ in runtime.now }
                    }
                    try await runtime.sleep(for: .milliseconds(200))
                }
                return try await group.compactMap { $0 }.min { $0 < $1 }?.offset
            }
        }

        expectTrue((offset ?? .seconds(60)) < .milliseconds(25_300))
    }

    @Test("keeps partitions of one authority apart")
    func partitions() throws {
        let limits = try Simulation.run { simulation in
            let transport = ScriptedTransport<HTTP.Request> { _, call in
                if call.limitPartition == "slow" { try await call.runtime.sleep(for: .seconds(5)) }
                return HTTP.Response(200)
            }
            var settings = AdaptiveConcurrencyLimit()
            settings.initial = 1
            let client = try simulation.client(transport) { [settings] in
                AdaptiveConcurrencyLimitInterceptor<HTTP.Request>(settings)
            }
            let slow = Task.child(in: simulation) {
                try await client.send(.get(orders)) { $0.limitPartition = "slow" }
            }
            try await simulation.runtime.sleep(for: .milliseconds(1))
            _ = try await client.send(.get(orders)) { $0.limitPartition = "fast" }
            let offset = simulation.now.offset
            _ = try await slow.value
            return offset
        }

        expectEqual(limits, .milliseconds(1))
    }

    @Test("keeps a server busy that slows down, and not its queue full")
    func following() async throws {
        let outcome = try await onEverySeed(0..<5) { simulation in
            let runtime = simulation.runtime
            // One request after the other, 50 ms each; callers wait for half a second.
            let free = Lock(Runtime.Instant(offset: .zero))
            let late = Lock(0)
            let transport = ScriptedTransport<HTTP.Request> { _, call in
                let now = call.runtime.now
                let turn = free.withLock { free in
                    free = max(free, now).advanced(by: .milliseconds(50))
                    return free
                }
                if now.duration(to: turn) > .milliseconds(500) { late.withLock { $0 += 1 } }
                try await call.runtime.sleep(until: turn)
                return HTTP.Response(200)
            }
            let limit = AdaptiveConcurrencyLimitInterceptor<HTTP.Request>()
            let client = try simulation.client(transport) {
                limit
                TimeoutInterceptor<HTTP.Request>(attempt: .milliseconds(500))
            }
            let succeeded = Recorder<Void>()
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<40 {
                    group.addTask {
                        while runtime.now.offset < .seconds(30) {
                            if (try? await client.send(.get(orders))) != nil {
                                succeeded.note(())
                            }
                        }
                    }
                }
            }
            guard limit.inFlight(Self.origin) == 0 else { throw Problem(text: "one is lost") }
            // Twenty a second are possible; without a limit all but the first ten would be late.
            return (succeeded.entries.count > 510, late.withLock { $0 } < 90)
        }

        expectTrue(outcome.0)
        expectTrue(outcome.1)
    }

    @Test("has all its permits again after any cancellations and changes")
    func storm() async throws {
        try await onEverySeed(0..<(2 * seedCount)) { simulation in
            let runtime = simulation.runtime
            var settings = AdaptiveConcurrencyLimit()
            settings.initial = 3
            settings.queueLimit = 5
            settings.maxWait = .milliseconds(100)
            let limit = AdaptiveConcurrencyLimitInterceptor<Int>(settings)
            let pipeline = try Pipeline(
                transport: Echo<Int> { input, call in
                    try await call.runtime.sleep(for: .milliseconds(input % 50))
                    if input % 5 == 0 { throw Problem() }
                    return input
                },
                runtime: runtime
            ) {
                limit
                TimeoutInterceptor<Int>(attempt: .milliseconds(30))
            }
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<40 {
                    let draws = (0..<3).map { _ in Int(runtime.random() % 100) }
                    group.addTask {
                        try? await runtime.sleep(for: .milliseconds(draws[0]))
                        let call = Task.child(in: simulation) {
                            var call = Call(runtime: runtime)
                            call.criticality = Criticality.allCases[number % 3]
                            call.permits = draws[1] % 4 + 1
                            return try await pipeline.run(draws[1], call: call)
                        }
                        try? await runtime.sleep(for: .milliseconds(draws[2]))
                        call.cancel()
                        _ = await call.result
                    }
                }
            }

            try requireEqual(limit.inFlight(), 0)
            try requireEqual(limit.waiting(), 0)
            try await runtime.sleep(for: .seconds(60))
            _ = try await pipeline.run(1)
        }
    }
}
