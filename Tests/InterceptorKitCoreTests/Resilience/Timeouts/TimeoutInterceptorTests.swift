import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("TimeoutInterceptor")
struct TimeoutInterceptorTests {
    @Test("an attempt that takes too long is ended and retried")
    func attemptIsRetried() async throws {
        let (status, sends, elapsed) = try await onEverySeed { simulation in
            let transport = ScriptedTransport<HTTP.Request>(replies: [
                .status(200).delayed(by: .seconds(60)), .status(200).delayed(by: .seconds(1)),
            ])
            let client = try simulation.client(transport) {
                TimeoutInterceptor(total: .seconds(30))
                RetryInterceptor(policy: .steady)
                TimeoutInterceptor(attempt: .seconds(10))
            }
            let status = try await client.send(.get(orders)).status
            return (status, transport.sent.map(\.instant.offset), simulation.now.offset)
        }

        expectEqual(status, 200)
        expectEqual(sends, [.zero, .seconds(11)])
        expectEqual(elapsed, .seconds(12))
    }

    @Test("a call that takes too long ends with the total's error, unretried")
    func totalIsNotRetried() async throws {
        let (error, sends, elapsed) = try await onEverySeed { simulation in
            let transport = ScriptedTransport<HTTP.Request> { _, call in
                try await call.runtime.sleep(for: .seconds(60))
                return HTTP.Response(200)
            }
            let client = try simulation.client(transport) {
                TimeoutInterceptor(total: .seconds(15))
                RetryInterceptor(policy: .steady)
                TimeoutInterceptor(attempt: .seconds(10))
            }
            let error = await #expect(throws: TimeoutError.self) {
                try await client.send(.get(orders))
            }
            try requireEqual(error?.classification.kind, .permanent)
            return (error?.message, transport.sent.count, simulation.now.offset)
        }

        expectEqual(
            error?.hasPrefix(
                "The call to https://api.example.com did not end within 15 s (TimeoutInterceptor(total:))"
            ),
            true
        )
        expectEqual(sends, 2)
        expectEqual(elapsed, .seconds(15))
    }

    @Test("waits between attempts don't count as time of an attempt")
    func backoffIsNoTimeout() async throws {
        let (status, times) = try await onEverySeed { simulation in
            let transport = ScriptedTransport<HTTP.Request>(replies: [
                .status(503, headers: ["Retry-After": "25"]), .status(200).delayed(by: .seconds(4)),
            ])
            var policy = RetryPolicy<HTTP.Request>.steady
            policy.overloadBackoff = Backoff(base: .seconds(25), cap: .seconds(25), jitter: .none)
            let client = try simulation.client(transport) { [policy] in
                TimeoutInterceptor(total: .seconds(60))
                RetryInterceptor(policy: policy)
                TimeoutInterceptor(attempt: .seconds(5))
            }
            let status = try await client.send(.get(orders)).status
            return (status, transport.sent.count)
        }

        expectEqual(status, 200)
        expectEqual(times, 2)
    }

    @Test("a POST whose attempt timed out isn't sent again")
    func unsafeMethod() async throws {
        let sends = try await onEverySeed(0..<100) { simulation in
            let transport = ScriptedTransport<HTTP.Request> { _, call in
                try await call.runtime.sleep(for: .seconds(60))
                return HTTP.Response(200)
            }
            let client = try simulation.client(transport) {
                RetryInterceptor(policy: .steady)
                TimeoutInterceptor(attempt: .seconds(10))
            }
            let error = await #expect(throws: TimeoutError.self) {
                try await client.send(.post(orders))
            }
            expectEqual(error?.code, .attempt)
            return transport.sent.count
        }

        expectEqual(sends, 1)
    }

    @Test("a transport's own timeout at the same instant becomes the cause")
    func transportsLimit() async throws {
        try await onEverySeed { simulation in
            let transport = ScriptedTransport<HTTP.Request> { _, call in
                do {
                    try await call.runtime.sleep(for: call.remaining ?? .zero)
                } catch {}
                throw TransportError(.timedOut, "No answer came.", isUnsent: true)
            }
            let client = try simulation.client(transport) {
                TimeoutInterceptor(attempt: .seconds(10))
            }
            let error = await #expect(throws: TimeoutError.self) {
                try await client.send(.post(orders))
            }

            try requireEqual(error?.code, .attempt)
            try requireEqual((error?.cause as? TransportError)?.code, .timedOut)
            try requireEqual(error?.classification.isUnsent, true)
        }
    }

    @Test("a late call's error keeps its cause and attempts", arguments: [true, false])
    func lateAttempts(hasAttemptLimit: Bool) async throws {
        try await onEverySeed(0..<10) { simulation in
            let transport = ScriptedTransport<HTTP.Request> { _, call in
                guard call.attempt > 1 else { throw TransportError(.connectionLost, "Reset.") }
                do {
                    try await call.runtime.sleep(for: call.remaining ?? .zero)
                } catch {}
                throw TransportError(.timedOut, "No answer came.", isUnsent: true)
            }
            let client = try simulation.client(transport) {
                RetryInterceptor(policy: .steady)
                if hasAttemptLimit { TimeoutInterceptor(attempt: .seconds(60)) }
            }
            let error = await #expect(throws: TimeoutError.self) {
                try await client.send(.get(orders), timeout: .seconds(20))
            }

            try requireEqual(error?.code, .total)
            try requireEqual(error?.attempts.count, 2)
            try requireEqual((error?.cause as? TransportError)?.code, .timedOut)
            try requireEqual(error?.classification.isUnsent, true)
        }
    }

    @Test("an error that comes in time is rethrown unchanged")
    func otherErrors() async throws {
        try await onEverySeed(0..<10) { simulation in
            let transport = Echo<Int> { _, _ in throw Problem(text: "mine") }
            let pipeline = try Pipeline(transport: transport, runtime: simulation.runtime) {
                TimeoutInterceptor<Int>(total: .seconds(30))
                TimeoutInterceptor<Int>(attempt: .seconds(10))
            }
            let error = await #expect(throws: Problem.self) { try await pipeline.run(1) }
            try requireEqual(error, Problem(text: "mine"))
        }
    }

    @Test("a timeout is reported as an event")
    func event() async throws {
        let timeline = try await onEverySeed(0..<10) { simulation in
            let sink = RecordingEventSink()
            let transport = ScriptedTransport<HTTP.Request> { _, call in
                try await call.runtime.sleep(for: .seconds(60))
                return HTTP.Response(200)
            }
            let client = try simulation.client(transport, events: sink) {
                TimeoutInterceptor(attempt: .seconds(10))
            }
            await #expect(throws: TimeoutError.self) { try await client.send(.get(orders)) }
            let told = sink.events.filter { $0.name == .timedOut }
            return told.map { [$0.attributes["code"], $0.attributes["limit"]] }
        }

        expectEqual(timeline, [[.text("attempt"), .duration(.seconds(10))]])
    }

    @Test("limits that aren't above zero are refused", arguments: [Duration.zero, .seconds(-1)])
    func refusal(limit: Duration) throws {
        let transport = ScriptedTransport<HTTP.Request>(replies: [])
        let error = #expect(throws: PipelineError.self) {
            try Pipeline(transport: transport) { TimeoutInterceptor(attempt: limit) }
        }
        expectEqual(error?.message.contains("more than zero"), true)
        #expect(throws: PipelineError.self) {
            try Pipeline(transport: transport) { BodyTimeoutInterceptor(idle: limit) }
        }
    }
}
