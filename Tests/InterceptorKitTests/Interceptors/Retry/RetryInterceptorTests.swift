import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("RetryInterceptor")
struct RetryInterceptorTests {
    @Test("retries transient failures until one succeeds, with growing waits")
    func eventuallySucceeds() async throws {
        let run = try await RetryRun.of([.status(503), .status(503), .status(200)])

        #expect(try run.result.get().status == 200)
        #expect(run.times == [.zero, .milliseconds(50), .milliseconds(150)])
        #expect(try run.result.get().attempts.map(\.number) == [1, 2, 3])
    }

    @Test("returns the last response with its body when attempts are exhausted")
    func exhausted() async throws {
        let run = try await RetryRun.of([.status(500), .status(500), .status(500, body: "last")])

        let response = try run.result.get()
        #expect(response.status == 500)
        #expect(try await response.text() == "last")
        #expect(run.sent.count == 3)
        #expect(
            response.attempts.map(\.description) == [
                "attempt 1: 500 Internal Server Error, then waited 0.05 s",
                "attempt 2: 500 Internal Server Error, then waited 0.1 s",
                "attempt 3: 500 Internal Server Error",
            ]
        )
    }

    @Test("records only the last 32 attempts")
    func boundedHistory() throws {
        var policy = RetryPolicy<HTTP.Request>.steady
        policy.maxAttempts = 1000
        policy.allowsManyAttempts = true
        let steps = Array(repeating: ScriptStep<HTTP.Request>.status(503), count: 1000)

        let run = try RetryRun.once(steps, .get(orders), policy, seed: 0)

        let attempts = try run.result.get().attempts
        #expect(run.sent.count == 1000)
        #expect(attempts.map(\.number) == Array(969...1000))
    }

    @Test("skips the classifier for a response that it recognises")
    func recognised() throws {
        let asked = Recorder<HTTP.Status>()
        let classifier = OutcomeClassifier<HTTP.Request>(recognising: { $0.status == 200 }) {
            if case .success(let response) = $0.result { asked.note(response.status) }
            return .success
        }
        try Simulation.run { simulation in
            let transport = ScriptedTransport<HTTP.Request>(replies: [.status(200), .status(201)])
            let client = try simulation.client(transport) {
                RetryInterceptor(policy: RetryPolicy(classifier: classifier))
            }
            for _ in 0..<2 { _ = try await client.send(.get(orders)) }
        }

        #expect(asked.entries == [201])
    }

    @Test("waits by the previous wait with decorrelated jitter")
    func decorrelated() throws {
        var policy = RetryPolicy<HTTP.Request>.steady
        policy.maxAttempts = 5
        policy.backoff = Backoff(base: .seconds(1), cap: .seconds(100), jitter: .decorrelated)
        let steps = Array(repeating: ScriptStep<HTTP.Request>.status(503), count: 5)

        let runs = try (UInt64(0)..<50).map { seed in
            let times = try RetryRun.once(steps, .get(orders), policy, seed: seed).times
            return zip(times.dropFirst(), times).map { $0 - $1 }
        }

        for waits in runs {
            let reach = [.seconds(1)] + waits.map { $0 * 3 + .microseconds(1) }
            #expect(zip(waits, reach).dropFirst().allSatisfy { $0 >= .seconds(1) && $0 <= $1 })
        }
        #expect(runs.joined().contains { $0 > .seconds(3) })
    }

    @Test("throws the last error with the history of all attempts")
    func errorHistory() async throws {
        let lost = TransportError(.connectionLost, "The connection was lost.")
        let run = try await RetryRun.of([.fail(lost), .status(502), .fail(lost)])

        let error = #expect(throws: TransportError.self) { try run.result.get() }
        #expect(error?.code == .connectionLost)
        #expect(
            error?.attempts.map(\.reason) == [
                "connection lost", "502 Bad Gateway", "connection lost",
            ]
        )
    }

    @Test(
        "counts the first send as an attempt",
        arguments: [(1, 1), (2, 2), (3, 3), (5, 5)]
    )
    func limit(limit: Int, sends: Int) async throws {
        var policy = RetryPolicy<HTTP.Request>.steady
        policy.maxAttempts = limit

        let run = try await RetryRun.of(Array(repeating: .status(503), count: 9), policy: policy)

        #expect(run.sent.count == sends)
    }

    @Test(
        "retries transient failures and no others",
        arguments: [
            (408, 3), (425, 2), (429, 3), (500, 3), (502, 3), (503, 3), (504, 3),
            (200, 1), (304, 1), (400, 1), (401, 1), (403, 1), (404, 1), (409, 1), (413, 1),
            (501, 1), (505, 1),
        ]
    )
    func statuses(code: Int, sends: Int) async throws {
        let run = try await RetryRun.of(Array(repeating: .status(HTTP.Status(code)), count: 5))

        #expect(run.sent.count == sends)
    }

    @Test("retries a 413 that has Retry-After")
    func contentTooLarge() async throws {
        let run = try await RetryRun.of(
            [.status(413, headers: ["Retry-After": "1"]), .status(200)],
            isVarying: true
        )

        #expect(run.sent.count == 2)
    }

    @Test(
        "retries idempotent methods only",
        arguments: [
            ("GET", 3), ("HEAD", 3), ("OPTIONS", 3), ("TRACE", 3), ("PUT", 3), ("DELETE", 3),
            ("QUERY", 3),
            ("POST", 1), ("PATCH", 1), ("LINK", 1),
        ]
    )
    func methods(method: String, sends: Int) async throws {
        let request = HTTP.Request(HTTP.Method(rawValue: method), orders)

        let run = try await RetryRun.of(Array(repeating: .status(503), count: 3), for: request)

        #expect(run.sent.count == sends)
    }

    @Test("sends a POST once if no response arrived")
    func postTimedOut() async throws {
        let run = try await RetryRun.of(
            [.fail(TransportError(.timedOut, "Too late."))],
            for: .post(orders, body: "x")
        )

        #expect(throws: TransportError.self) { try run.result.get() }
        #expect(run.sent.count == 1)
    }

    @Test("retries a POST with an idempotency key, with the same key and body")
    func idempotencyKey() async throws {
        let request = HTTP.Request.post(
            orders,
            headers: ["Idempotency-Key": "\"k-1\""],
            body: "order"
        )

        let run = try await RetryRun.of([.status(503), .status(503), .status(201)], for: request)

        #expect(
            run.sent.map { $0.headers["Idempotency-Key"] } == ["\"k-1\"", "\"k-1\"", "\"k-1\""]
        )
        #expect(
            run.sent.map(\.body.inMemory)
                == Array(repeating: HTTP.Body.text("order").inMemory, count: 3)
        )
        #expect(run.sent.map(\.method) == [.post, .post, .post])
    }

    @Test("retries a POST that is known to be unsent")
    func unsent() async throws {
        let refused = TransportError(.cannotConnect, "Refused.", isCertainlyUnsent: true)
        let run = try await RetryRun.of(
            [.fail(refused), .status(201)],
            for: .post(orders, body: "x")
        )

        #expect(try run.result.get().status == 201)
    }

    @Test("sends a one-shot body once and returns the original response")
    func oneShot() async throws {
        let body = HTTP.Body.oneShot(AsyncStream { $0.finish() })
        let request = HTTP.Request(.put, orders, body: body)

        let run = try await RetryRun.of([.status(503, body: "busy")], for: request)

        #expect(try run.result.get().status == 503)
        #expect(run.sent.count == 1)
    }

    @Test("doesn't retry a permanent failure")
    func permanentErrors() async throws {
        for error in [
            TransportError(.tls, "Untrusted certificate.") as any Error,
            TransportError(.closed, "Closed."),
            HTTP.RequestError(.invalidURL, "No URL."),
            Problem(),
        ] {
            let run = try await RetryRun.of([.fail(error), .status(200)])

            #expect(throws: (any Error).self) { try run.result.get() }
            #expect(run.sent.count == 1, "\(error)")
        }
    }

    @Test("starts no wait that would exceed the deadline")
    func deadline() async throws {
        var policy = RetryPolicy<HTTP.Request>.steady
        policy.backoff.base = .milliseconds(500)

        let run = try await RetryRun.of(
            [.status(503).after(.milliseconds(2700)), .status(200)],
            policy: policy,
            timeout: .seconds(3)
        )

        #expect(try run.result.get().status == 503)
        #expect(run.elapsed == .milliseconds(2700))
    }

    @Test("draws waits from the seed, reproducibly and within their bounds")
    func seededJitter() throws {
        @Sendable func times(seed: UInt64) throws -> [Duration] {
            try Simulation.run(seed: seed) { simulation in
                let transport = ScriptedTransport<HTTP.Request>(
                    replies: Array(repeating: .status(503), count: 3)
                )
                let client = try simulation.client(transport) {
                    RetryInterceptor(policy: .standard)
                }
                _ = try await client.send(.get(orders))
                return transport.sent.map(\.instant.offset)
            }
        }

        let all = try (0..<1000).map(times)

        #expect(try times(seed: 1) == all[1])
        #expect(Set(all).count > 900)
        #expect(all.allSatisfy { $0[1] <= .milliseconds(50) })
        #expect(all.allSatisfy { $0[2] - $0[1] <= .milliseconds(100) })
    }

    @Test("obeys a limit for one call only")
    func perCallLimit() throws {
        let sends = try Simulation.run { simulation in
            let transport = ScriptedTransport<HTTP.Request> { _, _ in HTTP.Response(503) }
            let client = try simulation.client(transport) { RetryInterceptor(policy: .steady) }
            _ = try await client.send(.get(orders)) { $0.retryLimit = 1 }
            _ = try await client.send(.get(orders)) { $0.retryLimit = -5 }
            return transport.sent.count
        }

        #expect(sends == 2)
    }

    @Test("reports why it waits and why it stops")
    func events() throws {
        let sink = RecordingEventSink()
        try Simulation.run { simulation in
            let transport = ScriptedTransport<HTTP.Request> { _, _ in HTTP.Response(503) }
            let client = try simulation.client(transport, events: sink) {
                RetryInterceptor(policy: .steady)
            }
            _ = try await client.send(.get(orders))
        }

        let retries = sink.events.filter { $0.name == .retryScheduled }
        let stops = sink.events.filter { $0.name == .retryStopped }
        #expect(retries.map(\.attempt) == [1, 2])
        #expect(
            retries.first?.attributes == [
                "reason": .text("503 Service Unavailable"), "delay": .duration(.milliseconds(50)),
            ]
        )
        #expect(
            stops.first?.attributes == [
                "reason": .text("all 3 attempts failed"), "rule": .text("attempts"),
                "outcome": .text("503 Service Unavailable"),
            ]
        )
        #expect((retries + stops).allSatisfy { $0.source == "RetryInterceptor" })
    }
}
