import Expectations
import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitTesting
import Synchronization
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("Event.Activity")
struct ActivityTests {
    @Test("nests a call's stages, attempts and sends as they happened")
    func nesting() async throws {
        let sink = RecordingEventSink()
        let transport = ScriptedTransport(replies: [
            .status(503), .status(200, body: .bytes(Data("ok".utf8))),
        ])

        let body = try await onEverySeed(0..<1) { simulation in
            let client = try simulation.client(transport, events: sink) {
                ErrorFilterInterceptor()
                RetryInterceptor(policy: .steady)
                SignInterceptor(.hmacSHA256(keyID: "k", secret: "s"))
            }
            return try await client.send(.get(orders)).text()
        }

        expectEqual(body, "ok")
        expectEqual(
            activityOutline(sink.events),
            [
                "call call",
                "  interceptor ErrorFilterInterceptor",
                "    interceptor RetryInterceptor",
                "      attempt attempt 1",
                "        interceptor SignInterceptor",
                "          transport ScriptedTransport",
                "      wait the next attempt",
                "      attempt attempt 2",
                "        interceptor SignInterceptor",
                "          transport ScriptedTransport",
            ]
        )
        expectEqual(unmatchedActivities(sink.events), [])
        let attempts = sink.events.filter { $0.name == .attemptBegan }
        expectEqual(
            attempts.map { $0.attributes["input"] },
            Array(repeating: .text("GET \(orders)"), count: 2)
        )
        let decision = try unwrap(sink.events.first { $0.name == .retryScheduled })
        expectEqual(decision.activity?.name, "RetryInterceptor")
    }

    @Test("distinguishes failed, cancelled and completed")
    func endings() async throws {
        let answers: [(HTTP.Status?, String)] = [(200, "completed"), (nil, "failed")]
        for (status, ending) in answers {
            let sink = RecordingEventSink()
            let client = try HTTP.Client(
                transport: CannedTransport(status),
                timeout: nil,
                events: sink
            ) {}

            _ = try? await client.send(.get(orders))

            expectEqual(sink.endings, [ending, ending])
        }
        let sink = RecordingEventSink()
        let client = try HTTP.Client(transport: CannedTransport(200), timeout: nil, events: sink) {}
        let call = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return try await client.send(.get(orders))
        }
        _ = await call.result

        expectEqual(sink.endings, ["cancelled", "cancelled"])
        expectTrue(sink.events.allSatisfy { $0.attributes["error.type"] == nil })
    }

    @Test("shows request and response of the transport, with secrets hidden")
    func messages() async throws {
        let sink = RecordingEventSink()
        let client = try HTTP.Client(transport: CannedTransport(404), timeout: nil, events: sink) {}
        let request = HTTP.Request(
            .post,
            "https://api.example.com/orders?token=abc&page=2",
            headers: ["Authorization": "Bearer abc", "Accept": "text/plain"],
            body: .bytes(Data("hello".utf8))
        )

        _ = try await client.send(request)

        let sent = try unwrap(sink.events.first { $0.activity?.kind == .transport })
        expectEqual(sent.attributes["http.request.method"], .text("POST"))
        let url = "https://api.example.com/orders?token=██&page=2"
        expectEqual(sent.attributes["url.full"], .text(url))
        expectEqual(sent.attributes["input"], .text("POST \(url)"))
        expectEqual(sent.attributes["http.request.header.authorization"], .text("██"))
        expectEqual(sent.attributes["http.request.header.accept"], .text("text/plain"))
        expectEqual(sent.attributes["http.request.body.size"], .number(5))
        let answered = try unwrap(sink.events.last { $0.activity?.kind == .transport })
        expectEqual(answered.attributes["http.response.status_code"], .number(404))
        expectEqual(answered.attributes["output"], .text("404 Not Found"))
    }

    @Test("follows a response body to its end, and reports one never read")
    func bodies() async throws {
        for (read, ending) in [(true, Event.Ending.completed), (false, .abandoned)] {
            let sink = RecordingEventSink()
            // On one thread, where nothing holds the response a moment longer than its reader.
            try await onEverySeed(0..<1) { simulation in
                let stream = CountingStream(chunks: 3)
                let client = try HTTP.Client(
                    transport: CannedTransport(200, body: { .oneShot(length: 3072, stream) }),
                    runtime: simulation.runtime,
                    events: sink
                ) {}

                let response = try await client.send(.get(orders))
                try require(sink.names.contains(.bodyBegan))
                try require(!sink.names.contains(.bodyEnded))
                if read { _ = try await response.body.collect() }
            }

            let end = try unwrap(sink.events.last)
            expectEqual(end.name, .bodyEnded)
            expectEqual(end.phase, .ended(ending))
            expectEqual(end.attributes["bytes"], .number(read ? 3072 : 0))
            expectEqual(end.attributes["total"], .number(3072))
            expectEqual(unmatchedActivities(sink.events), [])
        }
    }

    @Test("reports received bytes at most twenty times a second, and the last")
    func pace() async throws {
        let sink = RecordingEventSink()
        try await onEverySeed(0..<1) { simulation in
            let client = try HTTP.Client(
                transport: CannedTransport(200) {
                    .oneShot(
                        length: 100,
                        TricklingStream(100, each: .milliseconds(10), simulation.runtime)
                    )
                },
                runtime: simulation.runtime,
                events: sink
            ) {}
            let body = try await client.send(.get(orders)).body.collect()
            expectEqual(body.count, 100)
        }

        let counts = sink.events.filter { $0.name == .bodyReceived }.map { $0.attributes["bytes"] }
        expectEqual(counts, ([1] + (1...19).map { 1 + $0 * 5 } + [100]).map { .number($0) })
    }

    @Test("reports sent bytes, also on a retry, and calls the caller's callback")
    func sent() async throws {
        let sink = RecordingEventSink()
        let told = Recorder<Int>()
        let client = try HTTP.Client(
            transport: Uploading([0, 2, 5, 0, 5]),
            timeout: nil,
            events: sink
        ) {}

        _ = try await client.send(HTTP.Request(.post, orders, body: .bytes(Data(count: 5)))) {
            $0.onBodySent = { told.note($0) }
        }
        _ = try await client.send(.get(orders))

        let counts = sink.events.filter { $0.name == .bodySent }.map { $0.attributes["bytes"] }
        // Two comes within the time of one look.
        expectEqual(counts, [.number(0), .number(5), .number(0), .number(5)])
        expectEqual(told.entries, [0, 2, 5, 0, 5])
    }

    @Test("reports a released body, and keeps the trailers of a read one")
    func release() async throws {
        let sink = RecordingEventSink()
        let client = try HTTP.Client(
            transport: CannedTransport { HTTP.Response(200, body: .oneShot(TrailedStream())) },
            timeout: nil,
            events: sink
        ) {}

        let held = try await client.send(.get(orders))
        client.cancelAll()
        expectEqual(sink.events.last?.phase, .ended(.abandoned))
        withExtendedLifetime(held) {}
        let read = try await client.send(.get(orders))
        _ = try await read.body.collect()

        expectEqual(read.trailers?["X-Sum"], "1")
    }

    @Test("shows errors without the secrets in their descriptions")
    func errors() async throws {
        let sink = RecordingEventSink()
        let client = try HTTP.Client(
            transport: CannedTransport { throw Problem(text: "token=abc was refused") },
            timeout: nil,
            events: sink
        ) {}

        _ = try? await client.send(.get(orders))

        let failed = try unwrap(sink.events.first { $0.name == .failed })
        let message = failed.attributes["error.message"]?.description ?? ""
        expectTrue(message.contains("token=██ was refused"), "\(message)")
    }

    @Test("reports what an interceptor does within its own activity, by its name")
    func own() async throws {
        let sink = RecordingEventSink()
        let pipeline = try Pipeline(transport: Echo<Int>(), events: sink) {
            AnyInterceptor<Int>("seats") { chain in
                try await chain.call.activity(.wait, "a free seat") { call in
                    call.emit("seat.taken")
                    call.emit("seat.counted", from: "counter")
                }
                return try await chain.proceed()
            }
        }

        _ = try await pipeline.run(1)

        let seat = try unwrap(sink.events.first { $0.name == "seat.taken" })
        expectEqual(seat.activity?.kind, .wait)
        expectEqual(seat.activity?.name, "a free seat")
        let sources = sink.events.filter { $0.activity?.kind == .wait }.map(\.source)
        expectEqual(sources, ["seats", "seats", "counter", "seats"])
        expectEqual(sink.names.filter { "\($0)".hasPrefix("wait.") }, [.waitBegan, .waitEnded])
    }

    @Test("has a line without the line breaks and controls of others' texts")
    func line() throws {
        let sink = RecordingEventSink()

        Call(events: sink).emit("seat.taken\nINFO forged", from: "seats\u{1B}[31m")

        expectEqual(sink.events[0].line, "seat.taken; INFO forged from seats\u{FFFD}[31m")
    }

    @Test("of a nested pipeline is part of the outer activity")
    func nestedPipelines() async throws {
        let sink = RecordingEventSink()
        let inner = try Pipeline(transport: Echo<Int>(), events: sink) { Adding(amount: 1) }
        let outer = try Pipeline(
            transport: Echo<Int> { input, call in try await inner.run(input, call: call) },
            events: sink
        ) {}

        try await expectEqual(outer.run(1), 2)

        let activities = sink.events.filter { $0.phase == .began }.compactMap(\.activity)
        expectEqual(activities.map(\.parent), [nil] + activities.dropLast().map(\.id))
        expectEqual(unmatchedActivities(sink.events), [])
    }
}

extension RecordingEventSink {
    fileprivate var endings: [String] {
        events.compactMap { event in
            if case .ended(let ending) = event.phase { ending.rawValue } else { nil }
        }
    }
}

/// Says that so many bytes have left, one count after the other.
private struct Uploading: Transport {
    let counts: [Int]

    init(_ counts: [Int]) { self.counts = counts }

    func send(_ input: HTTP.Request, call: Call) async throws -> HTTP.Response {
        for count in counts { call.onBodySent?(count) }
        return HTTP.Response(200)
    }
}

private final class TrailedStream: HTTP.BodyStream {
    var trailers: HTTP.Headers? { ["X-Sum": "1"] }

    func next() async throws -> Data? { nil }

    func cancel() {}
}

/// A byte at a time.
private final class TricklingStream: HTTP.BodyStream {
    private let count: Int
    private let pause: Duration
    private let runtime: Runtime
    private let read = Lock(0)

    init(_ count: Int, each pause: Duration, _ runtime: Runtime) {
        self.count = count
        self.pause = pause
        self.runtime = runtime
    }

    func next() async throws -> Data? {
        guard read.withLock({ $0 }) < count else { return nil }
        try await runtime.sleep(for: pause)
        read.withLock { $0 += 1 }
        return Data([0x61])
    }

    func cancel() {}
}
