import InterceptorKit
import InterceptorKitInspection
import InterceptorKitTesting
import InterceptorKitTestingRecording
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

private typealias HTTPScript = ScriptedTransport<HTTP.Request>

@Suite struct RecordingTransportTests {
    private struct Chunks: AsyncSequence, AsyncIteratorProtocol, Sendable {
        var rest: [String]
        var error: TransportError?
        func makeAsyncIterator() -> Chunks { self }
        mutating func next() async throws -> Data? {
            guard rest.isEmpty else { return Data(rest.removeFirst().utf8) }
            if let error { throw error }
            return nil
        }
    }

    private func get(_ path: String) -> HTTP.Request { .get(.init("https://a.example" + path)) }

    @Test("replays recorded status, header fields, body, failures and order")
    func replayEqualsRecording() throws {
        let file = CassetteFile()
        let lost = TransportError(.connectionLost, "The connection was lost.")
        let base = HTTPScript(replies: [
            .status(200, headers: ["Content-Type": "text/plain", "ETag": "\"1\""], body: "first"),
            .status(200, headers: ["x-a": "s", "Vary": "a", "vary": "b"], body: "second"),
            .reply(HTTP.Response(206, body: .bytes([0, 0xFE, 0xFF]))),
            .fail(TransportError(.cannotConnect, "It was refused.", isCertainlyUnsent: true)),
            .reply(HTTP.Response(200, body: .oneShot(Chunks(rest: ["ab", "cd"])))),
            .reply(HTTP.Response(200, body: .oneShot(Chunks(rest: ["ab"], error: lost)))),
            .status(304),
        ])
        let requests = [
            get("/same"), get("/same"), get("/binary"), get("/refused"), get("/stream"),
            get("/lost"), get("/empty"),
        ]

        let recorder = try RecordingTransport(.record, cassette: file.path, over: base)
        let recorded = try Exchange.all(requests, over: recorder)
        let player = try RecordingTransport(replaying: file.path)
        let replayed = try Exchange.all(requests, over: player)

        var expected = recorded
        expected[1].headers[0] = "x-a: ██"
        #expect(replayed == expected)
        #expect(recorded.map(\.status) == [200, 200, 206, 0, 200, 200, 304])
        #expect(recorded[4].body == Data("abcd".utf8))
        #expect(recorded[5].error == "The connection was lost.")
        #expect(recorded[5].body == Data("ab".utf8))
        #expect(base.sent.count == 7)
        try player.verify()
    }

    @Test("a replayed transport failure keeps its code and stays unsent")
    func failureKind() throws {
        let file = CassetteFile()
        let refusal = TransportError(.cannotConnect, "It was refused.", isCertainlyUnsent: true)
        let base = HTTPScript(replies: [.fail(refusal)])
        let recorder = try RecordingTransport(.record, cassette: file.path, over: base)
        _ = try Exchange.all([get("/")], over: recorder)
        let player = try RecordingTransport(replaying: file.path)

        let error = #expect(throws: TransportError.self) {
            try Simulation.run { simulation in
                _ = try await player.send(get("/"), call: Call(runtime: simulation.runtime))
            }
        }

        #expect(error?.code == .cannotConnect)
        #expect(error?.isCertainlyUnsent == true)
    }

    @Test("an unmatched request fails with the nearest candidate")
    func unmatched() throws {
        let file = CassetteFile()
        let base = HTTPScript { _, _ in HTTP.Response(200) }
        let recorder = try RecordingTransport(.record, cassette: file.path, over: base)
        _ = try Exchange.all([get("/health"), get("/orders/17?token=a")], over: recorder)
        let player = try RecordingTransport(replaying: file.path)

        let error = #expect(throws: CassetteError.self) {
            try Simulation.run { simulation in
                let request = get("/orders/71?token=b")
                _ = try await player.send(request, call: Call(runtime: simulation.runtime))
            }
        }

        #expect(error?.code == .unmatched)
        #expect(error?.nearest == "GET https://a.example/orders/17?token=██")
        #expect(error?.place == "log.entries[1]")
        #expect(
            error?.differences == [
                "the URL is https://a.example/orders/71?token=██, not "
                    + "https://a.example/orders/17?token=██"
            ]
        )
        #expect(player.unused.count == 2)
        #expect(throws: CassetteError.self) { try player.verify() }
    }

    @Test("a request sent more often than recorded fails and says so")
    func exhausted() throws {
        let file = CassetteFile()
        let base = HTTPScript { _, _ in HTTP.Response(200) }
        let recorder = try RecordingTransport(.record, cassette: file.path, over: base)
        _ = try Exchange.all([get("/a")], over: recorder)
        let player = try RecordingTransport(replaying: file.path)

        let replayed = try Exchange.all([get("/a"), get("/a")], over: player)

        #expect(replayed.map(\.status) == [200, 0])
        #expect(replayed.last?.error?.contains("was recorded once in the cassette") == true)
    }

    @Test("matches requests by body and header fields when asked to")
    func matching() throws {
        let file = CassetteFile()
        let url: HTTP.URL = "https://a.example/orders"
        let requests: [HTTP.Request] = [
            .post(url, headers: ["Accept": "a"], body: "1"),
            .post(url, headers: ["Accept": "b"], body: "1"),
            .post(url, headers: ["Accept": "b"], body: "2"),
        ]
        let base = HTTPScript(replies: [.status(201), .status(202), .status(203)])
        let recorder = try RecordingTransport(.record, cassette: file.path, over: base)
        _ = try Exchange.all(requests, over: recorder)
        let strict = CassetteMatching(comparesBody: true, comparedFields: ["accept"])
        let player = try RecordingTransport(replaying: file.path, matching: strict)

        let replayed = try Exchange.all(requests.reversed(), over: player)
        let other = try Exchange.all(
            [.post(url, headers: ["Accept": "a"], body: "3")],
            over: player
        )

        #expect(replayed.map(\.status) == [203, 202, 201])
        #expect(other.first?.error?.contains("the body's 1 bytes differ") == true)
    }

    @Test("entries are in the order in which their sends began")
    func orderOfEntries() throws {
        let file = CassetteFile()
        let gate = Gate()
        let base = HTTPScript(expecting: [
            .get("/slow", .status(201).held(at: gate)), .get("/fast", .status(202)),
        ])
        let recorder = try RecordingTransport(.record, cassette: file.path, over: base)

        try Simulation.run { simulation in
            let call = Call(runtime: simulation.runtime)
            async let slow = recorder.send(get("/slow"), call: call)
            try await gate.waitForArrivals(1)
            _ = try await recorder.send(get("/fast"), call: call)
            gate.open()
            _ = try await slow
        }

        let statuses = try HAR(json: file.data).log.entries.map(\.response.status)
        #expect(statuses == [201, 202])
    }

    @Test("measures head and body on the call's runtime and reports what it did")
    func timingsAndEvents() throws {
        let file = CassetteFile()
        let events = RecordingEventSink()
        let slow = try ChaosTransport(
            over: HTTPScript(replies: [.status(200, body: "abcd").after(.seconds(2))]),
            [.slow(rate: 1, pieces: 2, every: .seconds(1))]
        )

        let recorder = try RecordingTransport(.record, cassette: file.path, over: slow)
        _ = try Exchange.all([get("/a")], over: recorder, events: events)
        let player = try RecordingTransport(replaying: file.path)
        _ = try Exchange.all([get("/a")], over: player, events: events)

        let entry = try #require(try HAR(json: file.data).log.entries.first)
        #expect(entry.timings.wait == 2000)
        #expect(entry.timings.receive == 2000)
        #expect(entry.time == 4000)
        #expect(entry.startedDateTime == "2026-01-01T00:00:00.000Z")
        #expect(events.names == [.faultInjected, .exchangeRecorded, .exchangeReplayed])
    }

    @Test("a body above the limit is passed on, but not recorded or replayed")
    func bodyLimit() throws {
        let file = CassetteFile()
        let base = HTTPScript(replies: [
            .reply(HTTP.Response(200, body: .oneShot(Chunks(rest: ["abc", "def"])))),
            .reply(HTTP.Response(200, body: .oneShot(Chunks(rest: ["abcd"])))),
        ])
        let recorder = try RecordingTransport(
            .record,
            cassette: file.path,
            over: base,
            bodyLimit: 4
        )

        let recorded = try Exchange.all([get("/large"), get("/fitting")], over: recorder)
        let player = try RecordingTransport(replaying: file.path)
        let replayed = try Exchange.all([get("/large"), get("/fitting")], over: player)

        #expect(recorded.map { String(decoding: $0.body, as: UTF8.self) } == ["abcdef", "abcd"])
        #expect(replayed.last?.body == Data("abcd".utf8))
        #expect(
            replayed.first?.error == "GET https://a.example/large was recorded without the "
                + "response's body. The content was not read: it is larger than the 4 bytes that "
                + "are recorded."
        )
    }

    @Test("a one-shot request body reaches the base unread, and the entry says so")
    func oneShotRequest() throws {
        let file = CassetteFile()
        let base = HTTPScript { request, _ in
            HTTP.Response(200, body: .bytes(try await request.body.collect()))
        }
        let recorder = try RecordingTransport(.record, cassette: file.path, over: base)
        let request = HTTP.Request.put("https://a.example/", body: .oneShot(Chunks(rest: ["up"])))

        let recorded = try Exchange.all([request], over: recorder)

        let entry = try #require(try HAR(json: file.data).log.entries.first)
        #expect(recorded.first?.body == Data("up".utf8))
        #expect(entry.request.postData?.text == nil)
        #expect(entry.request.postData?.comment?.contains("one-shot stream") == true)
        #expect(entry.request.bodySize == -1)
    }

    @Test("a redacted body has its Content-Length adjusted")
    func contentLength() throws {
        let file = CassetteFile()
        let text = #"{"token":"0123456789","a":1}"#
        let headers: HTTP.Headers = ["Content-Length": "\(text.utf8.count)"]
        let base = HTTPScript(replies: [.json(text, headers: headers)])
        let recorder = try RecordingTransport(.record, cassette: file.path, over: base)
        _ = try Exchange.all([get("/a")], over: recorder)

        let player = try RecordingTransport(replaying: file.path)
        let replayed = try Exchange.all([get("/a")], over: player)

        let body = Data(#"{"token":"██","a":1}"#.utf8)
        #expect(replayed.first?.body == body)
        #expect(replayed.first?.headers.first == "Content-Length: \(body.count)")
    }

    @Test("concurrent sends are each recorded and replayed once under every seed")
    func concurrency() throws {
        try simulate(seeds: 0..<40) { simulation in
            let file = CassetteFile()
            let base = HTTPScript { _, call in
                try await call.runtime.sleep(for: .milliseconds(call.runtime.random() % 3))
                return HTTP.Response(body: .text("\(call.id)"))
            }
            let recorder = try RecordingTransport(.record, cassette: file.path, over: base)
            let recorded = try await bodies(of: 5, over: recorder, in: simulation)
            let player = try RecordingTransport(replaying: file.path)
            let replayed = try await bodies(of: 5, over: player, in: simulation)

            try #require(Set(recorded).count == 5)
            try #require(replayed.sorted() == recorded.sorted())
            try player.verify()
        }
    }

    private func bodies(
        of count: Int,
        over transport: RecordingTransport,
        in simulation: Simulation
    ) async throws -> [String] {
        try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<count {
                group.addTask {
                    let call = Call(runtime: simulation.runtime)
                    return try await transport.send(get("/same"), call: call).text()
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    @Test("a cancelled send replays nothing")
    func cancellation() throws {
        let file = CassetteFile()
        let base = HTTPScript { _, _ in HTTP.Response(200) }
        let recorder = try RecordingTransport(.record, cassette: file.path, over: base)
        _ = try Exchange.all([get("/a")], over: recorder)
        let player = try RecordingTransport(replaying: file.path)

        let error = try Simulation.run { simulation in
            let errors = Recorder<any Error>()
            let sender = simulation.runtime.start("sender") {
                while !Task.isCancelled { await Task.yield() }
                do {
                    _ = try await player.send(get("/a"), call: Call(runtime: simulation.runtime))
                } catch { errors.note(error) }
            }
            sender.cancel()
            await sender.value
            return errors.entries.first
        }

        #expect(error is CancellationError)
        #expect(player.unused.count == 1)
    }
}
