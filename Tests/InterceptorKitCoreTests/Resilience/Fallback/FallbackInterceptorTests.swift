import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("FallbackInterceptor")
struct FallbackInterceptorTests {
    private static func send(
        _ steps: [ScriptStep<HTTP.Request>],
        events: (any EventSink)? = nil,
        below interceptors: [any Interceptor<HTTP.Request>] = [],
        answer: @escaping FallbackInterceptor<HTTP.Request>.Answer = { _, _ in
            HTTP.Response(200, body: "stored")
        }
    ) async throws -> HTTP.Response {
        let transport = ScriptedTransport<HTTP.Request>(replies: steps)
        let client = try HTTP.Client(transport: transport, timeout: nil, events: events) {
            FallbackInterceptor(answer: answer)
            interceptors
        }
        return try await client.send(.get(orders))
    }

    @Test("replaces a transient failure, and marks the response")
    func answers() async throws {
        let response = try await Self.send([.status(503)])

        expectEqual(response.status, 200)
        try await expectEqual(response.text(), "stored")
        expectEqual(response.fallbackReason, "503 Service Unavailable")
    }

    @Test(
        "leaves a success and a client error unchanged",
        arguments: [200, 204, 400, 404, 501]
    )
    func leavesAlone(status: HTTP.Status) async throws {
        let response = try await Self.send([.status(status)])

        expectEqual(response.status, status)
        expectEqual(response.fallbackReason, nil)
    }

    @Test("replaces a timeout and a lost connection")
    func errors() async throws {
        let total = try await Self.send([.fail(TimeoutError(.total, limit: .seconds(30)))])
        let lost = try await Self.send([.fail(TransportError(.connectionLost, "Lost."))])

        expectEqual(total.fallbackReason, "total timeout")
        expectEqual(lost.fallbackReason, "connectionLost")
    }

    @Test("lets a retry below it try first")
    func retriesFirst() async throws {
        let response = try await Self.send(
            [.status(503), .status(201)],
            below: [RetryInterceptor<HTTP.Request>(policy: .steady)]
        )

        expectEqual(response.status, 201)
        expectEqual(response.fallbackReason, nil)
    }

    @Test("releases the response that it replaces, and no other")
    func discards() async throws {
        let failed = CountingStream(chunks: 100)
        _ = try await Self.send([.status(503, body: .oneShot(failed))])
        let kept = CountingStream(chunks: 3)
        let response = try await Self.send([.status(503, body: .oneShot(kept))]) { _, _ in nil }

        expectEqual(failed.cancels, 1)
        expectEqual(response.status, 503)
        try await expectEqual(response.body.collect().count, 3 * 1024)
    }

    @Test("keeps the failure if the fallback fails itself")
    func failing() async throws {
        let sink = RecordingEventSink()
        let response = try await Self.send([.status(503)], events: sink) { _, _ in throw Problem() }

        expectEqual(response.status, 503)
        expectTrue(sink.names.contains(.fallbackFailed))
        await #expect(throws: TransportError.self) {
            _ = try await Self.send([.fail(TransportError(.connectionLost, "Lost."))]) { _, _ in
                throw Problem()
            }
        }
    }

    @Test("sees the request and its outcome")
    func outcome() async throws {
        let seen = Recorder<String>()
        _ = try await Self.send([.status(429, headers: ["Retry-After": "7"])]) { outcome, class_ in
            seen.note("\(outcome.input.url.path) \(class_.kind) \(class_.retryAfter ?? .zero)")
            return HTTP.Response(200)
        }

        expectEqual(seen.entries, ["/orders throttled 7.0 seconds"])
    }

    @Test("reports its use and the reason")
    func event() async throws {
        let sink = RecordingEventSink()
        _ = try await Self.send([.status(503)], events: sink)

        let event = sink.events.first { $0.name == .fallbackUsed }
        expectEqual(event?.attributes, ["reason": .text("503 Service Unavailable")])
    }

    @Test("isn't used for a cancelled caller")
    func cancellation() async throws {
        try await onEverySeed { simulation in
            let asked = Recorder<Int>()
            let transport = ScriptedTransport<HTTP.Request> { _, call in
                do {
                    try await call.runtime.sleep(for: .seconds(60))
                } catch {
                    // Some transports say it in words of their own.
                    throw TransportError(.connectionLost, "Lost.")
                }
                return HTTP.Response(200)
            }
            let client = try simulation.client(transport) {
                FallbackInterceptor { _, _ in
                    asked.note(1)
                    return HTTP.Response(200)
                }
            }
            let failed = await withTaskGroup(of: Bool.self) { group in
                group.addTask { (try? await client.send(.get(orders))) == nil }
                try? await simulation.runtime.sleep(for: .seconds(1))
                group.cancelAll()
                return await group.next()
            }

            try requireEqual(failed, true)
            try require(asked.entries.isEmpty)
        }
    }

    @Test("isn't used for a cancellation, whatever its condition says")
    func anyCondition() async throws {
        let transport = Echo<Int> { _, _ in throw CancellationError() }
        let pipeline = try Pipeline(transport: transport) {
            FallbackInterceptor<Int>(classifier: .standard, when: { _, _ in true }) { _, _ in 1 }
        }

        await #expect(throws: CancellationError.self) { try await pipeline.run(4) }
    }

    @Test("ends as cancelled if the caller is cancelled during the fallback")
    func cancelledInFallback() async throws {
        try await onEverySeed { simulation in
            let transport = ScriptedTransport<HTTP.Request> { _, _ in HTTP.Response(503) }
            let runtime = simulation.runtime
            let client = try simulation.client(transport) {
                FallbackInterceptor { _, _ in
                    try await runtime.sleep(for: .seconds(60))
                    return HTTP.Response(200)
                }
            }
            let error = await withTaskGroup(of: (any Error)?.self) { group in
                group.addTask {
                    do {
                        _ = try await client.send(.get(orders))
                        return nil
                    } catch {
                        return error
                    }
                }
                try? await runtime.sleep(for: .seconds(1))
                group.cancelAll()
                return await group.next() ?? nil
            }

            try require(error is CancellationError)
            try requireEqual(simulation.now.offset, .seconds(1))
        }
    }
}
