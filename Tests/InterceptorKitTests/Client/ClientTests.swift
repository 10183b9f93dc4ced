import Expectations
import InterceptorKit
import TestSupport
import Testing

@testable import InterceptorKitTesting

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("HTTP.Client")
struct ClientTests {
    @Test(
        "refuses an invalid request before any interceptor sees it",
        arguments: [
            HTTP.Request.get("https://a/ b"), .get("ftp://a/"),
            .get("https://a/", headers: ["X": "a\r\nb"]),
            .get("/relative", headers: ["X": "a\nb"]),
        ]
    )
    func refusals(request: HTTP.Request) throws {
        let recorder = Recorder<String>()
        #expect(throws: HTTP.RequestError.self) {
            try Simulation.run { simulation in
                let client = try simulation.client(ScriptedTransport(replies: [])) {
                    Marker("A", recorder)
                }
                return try await client.send(request).status
            }
        }

        expectTrue(recorder.entries.isEmpty)
    }

    @Test("throws at each send what kept it from being made, if deferred")
    func deferredErrors() async throws {
        let transport = ScriptedTransport<HTTP.Request>(replies: [.status(200)])
        let wrong = HTTP.Client(deferringErrors: {
            try HTTP.Client(transport: transport) {
                BaseURLInterceptor(try HTTP.URL(string: "api example"))
            }
        })
        let misplaced = HTTP.Client(deferringErrors: {
            try HTTP.Client(transport: transport) {
                BaseURLInterceptor("https://a.example")
                BaseURLInterceptor("/relative")
            }
        })
        let right = HTTP.Client(deferringErrors: { HTTP.Client(transport: transport) })

        for _ in 0..<2 {
            await #expect(throws: HTTP.RequestError.self) { try await wrong.send(.get("/x")) }
            await #expect(throws: PipelineError.self) { try await misplaced.send(.get("/x")) }
        }
        expectEqual(transport.sent.count, 0)
        try await expectEqual(right.send(.get(orders)).status, 200)
    }

    @Test("gives each call the client's deadline or the call's own")
    func deadlines() async throws {
        let deadlines = try await onEverySeed { simulation in
            let transport = ScriptedTransport<HTTP.Request> { _, _ in HTTP.Response() }
            let client = try HTTP.Client(transport: transport, runtime: simulation.runtime) {}
            _ = try await client.send(.get(orders))
            _ = try await client.send(.get(orders), timeout: .seconds(2))
            return transport.sent.map(\.call.deadline?.offset)
        }

        expectEqual(deadlines, [.seconds(30), .seconds(2)])
    }

    @Test("ends a call that it cancelled as cancelled, however long the end takes")
    func slowCancellation() throws {
        try Simulation.run { simulation in
            let transport = ScriptedTransport<HTTP.Request> { _, call in
                let rest = call.runtime.start("a slow end") {
                    try? await call.runtime.sleep(for: .seconds(9))
                }
                await rest.value
                throw CancellationError()
            }
            let client = try simulation.client(transport) {}
            let second = simulation.runtime.now.advanced(by: .seconds(1))
            _ = simulation.runtime.timer(at: second, "cancelling") { client.cancelAll() }

            await #expect(throws: CancellationError.self) {
                try await client.send(.get(orders), timeout: .seconds(3))
            }
        }
    }

    @Test(
        "ends a call at its time limit, wherever in the chain it waits",
        arguments: [true, false]
    )
    func timeouts(tracksCalls: Bool) throws {
        let sink = RecordingEventSink()
        let (own, ofCall) = try Simulation.run { simulation in
            let client = try HTTP.Client(
                transport: ScriptedTransport<HTTP.Request> { _, _ in HTTP.Response() },
                timeout: .seconds(3),
                runtime: simulation.runtime,
                events: sink,
                tracksCalls: tracksCalls
            ) {
                AnyInterceptor<HTTP.Request>("slow") { chain in
                    try await chain.call.runtime.sleep(for: .seconds(9))
                    return try await chain.proceed()
                }
            }
            let own = await #expect(throws: TimeoutError.self) {
                try await client.send(.get(orders))
            }
            let other = await #expect(throws: TimeoutError.self) {
                try await client.send(.get(orders), timeout: .seconds(2))
            }
            expectEqual(simulation.runtime.now.offset, .milliseconds(5_200))
            return (own, other)
        }

        expectEqual([own?.code, ofCall?.code], [.total, .total])
        expectEqual([own?.limit, ofCall?.limit], [.seconds(3), .seconds(2)])
        expectEqual(
            [own?.limitSource, ofCall?.limitSource],
            ["HTTP.Client(timeout:)", "Call.totalTimeout"]
        )
        expectEqual(sink.events.count { $0.name == .timedOut }, 2)
    }

    @Test("lets a fallback go on after the time limit, as long as it takes")
    func fallback() throws {
        try Simulation.run { simulation in
            let runtime = simulation.runtime
            let transport = ScriptedTransport<HTTP.Request> { _, call in
                try await call.runtime.sleep(for: call.remaining ?? .zero)
                throw TransportError(.timedOut, "No answer came.")
            }
            let client = try simulation.client(transport) {
                FallbackInterceptor { _, _ in
                    try await runtime.sleep(for: .seconds(5))
                    return HTTP.Response(203)
                }
            }

            let status = try await client.send(.get(orders), timeout: .seconds(3)).status

            expectEqual(status, 203)
            expectEqual(runtime.now.offset, .seconds(8))
        }
    }

    @Test("runs a call's own interceptors in their place, for that call only")
    func perCall() throws {
        let recorder = Recorder<String>()
        try Simulation.run { simulation in
            let transport = ScriptedTransport<HTTP.Request> { _, _ in HTTP.Response() }
            let client = try simulation.client(transport) {
                RetryInterceptor(policy: .steady)
                Marker<HTTP.Request>("sign", recorder, placement: .signing)
            }
            _ = try await client.send(
                .get(orders),
                adding: { Marker<HTTP.Request>("mine", recorder) }
            )
            _ = try await client.send(.get(orders))
        }

        expectEqual(recorder.entries.filter { $0.hasSuffix(">") }, ["mine>", "sign>", "sign>"])
    }

    @Test("ends every open call on cancelAll, cancels no caller and stays usable")
    func cancelAll() async throws {
        try await onEverySeed { simulation in
            let gate = Gate("in flight")
            let transport = ScriptedTransport<HTTP.Request> { _, _ in
                try await gate.pass()
                return HTTP.Response()
            }
            let client = try simulation.client(transport) { RetryInterceptor(policy: .steady) }

            let ended = try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<10 {
                    group.addTask {
                        do {
                            _ = try await client.send(.get(orders))
                            return false
                        } catch is CancellationError {
                            return !Task.isCancelled
                        }
                    }
                }
                try await gate.waitForArrivals(10)
                client.cancelAll()
                return try await group.reduce(into: []) { $0.append($1) }
            }
            gate.open()
            let status = try await client.send(.get(orders)).status

            try requireEqual(ended, Array(repeating: true, count: 10))
            try requireEqual(status, 200)
        }
    }

    @Test("ends bodies that are still arriving on cancelAll")
    func cancelAllBodies() async throws {
        let (open, finished) = try await onEverySeed { simulation in
            let stream = CountingStream(chunks: 10)
            let finished = CountingStream(chunks: 10)
            let bodies = [stream, finished]
            let transport = ScriptedTransport<HTTP.Request> { request, _ in
                HTTP.Response(body: .oneShot(bodies[request.url.path == "/0" ? 0 : 1]))
            }
            let client = try simulation.client(transport) {}
            let open = try await client.send(.get("https://a/0"))
            _ = try await client.send(.get("https://a/1")).body.collect()
            client.cancelAll()
            _ = open.status
            return (stream.cancels >= 1, finished.cancels)
        }

        expectTrue(open)
        expectEqual(finished, 0)
    }

    @Test("counts its open calls, and the bodies neither read nor released")
    func openWork() async throws {
        try await onEverySeed { simulation in
            let gate = Gate("in flight")
            let transport = ScriptedTransport<HTTP.Request> { request, _ in
                if request.url.path == "/slow" { try await gate.pass() }
                return HTTP.Response(body: .oneShot(CountingStream(chunks: 3)))
            }
            let client = try simulation.client(transport) {}
            let slow = Task.child(in: simulation) { try await client.send(.get("https://a/slow")) }
            try await gate.waitForArrivals(1)
            let underWay = client.openCalls
            gate.open()
            let first = try await slow.value
            let second = try await client.send(.get("https://a/"))
            let third = try await client.send(.get("https://a/"))
            let held = client.leaks
            let open = client.openWork
            _ = try await first.body.collect()
            await second.discard()
            for try await _ in third.body { break }

            try requireEqual(underWay, 1)
            try requireEqual(held, ["3 bodies of a client's responses unread"])
            try requireEqual(open, 3)
            try requireNoLeaks(in: client, gate)
        }
    }

    @Test("returns responses that know the wait that a server asks for")
    func retryAfter() throws {
        let transport = ScriptedTransport<HTTP.Request>(replies: [
            .status(503, headers: ["Retry-After": "Thu, 01 Jan 2026 00:01:00 GMT"])
                .delayed(by: .seconds(12)),
            .status(429, headers: ["Retry-After": "7"]), .status(202),
        ])

        let waits = try Simulation.run { simulation in
            let client = try simulation.client(transport) {}
            var waits: [Duration?] = []
            for _ in 0..<3 { waits.append(try await client.send(.get(orders)).retryAfter) }
            return waits
        }

        expectEqual(waits, [.seconds(48), .seconds(7), nil])
        expectEqual(HTTP.Response(503, headers: ["Retry-After": "7"]).retryAfter, .seconds(7))
    }

    @Test("ends a call as cancelled when the caller is cancelled")
    func callerCancelled() async throws {
        try await onEverySeed { simulation in
            let gate = Gate("in flight")
            let transport = ScriptedTransport<HTTP.Request> { _, _ in
                try await gate.pass()
                return HTTP.Response()
            }
            let client = try simulation.client(transport) {}
            let call = Task.child(in: simulation) { try await client.send(.get(orders)).status }
            try await gate.waitForArrivals(1)
            call.cancel()
            let result = await call.result

            try #require(throws: CancellationError.self) { try result.get() }
            try requireEqual(gate.held, 0)
        }
    }
}
