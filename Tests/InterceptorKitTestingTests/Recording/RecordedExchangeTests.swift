import Expectations
import InterceptorKit
import InterceptorKitInspection
import InterceptorKitTesting
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("RecordedExchange")
struct RecordedExchangeTests {
    @Test("measures head and body on the call's runtime and reports what it did")
    func timingsAndEvents() throws {
        let file = CassetteFile()
        let events = RecordingEventSink()
        let slow = RecordingScript { _, call in
            try await call.runtime.sleep(for: .seconds(2))
            return HTTP.Response(
                200,
                body: .oneShot(Paced(rest: ["ab", "cd"], runtime: call.runtime))
            )
        }

        let recorder = try RecordingTransport(.record, cassette: file.path, over: slow)
        _ = try Exchange.all([get("/a")], over: recorder, events: events)
        let player = try RecordingTransport(replaying: file.path)
        _ = try Exchange.all([get("/a")], over: player, events: events)

        let entry = try unwrap(HAR(json: file.data).log.entries.first)
        expectEqual(entry.timings.wait, 2000)
        expectEqual(entry.timings.receive, 2000)
        expectEqual(entry.time, 4000)
        expectEqual(entry.startedDateTime, "2026-01-01T00:00:00.000Z")
        expectEqual(events.names, [.exchangeRecorded, .exchangeReplayed])
    }

    @Test("a body above the limit is passed on, but not recorded or replayed")
    func bodyLimit() throws {
        let file = CassetteFile()
        let base = RecordingScript(replies: [
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

        expectEqual(recorded.map { String(decoding: $0.body, as: UTF8.self) }, ["abcdef", "abcd"])
        expectEqual(replayed.last?.body, Data("abcd".utf8))
        expectEqual(
            replayed.first?.error,
            "GET https://a.example/large was recorded without the "
                + "response's body. The content was not read: it is larger than the 4 bytes that "
                + "are recorded."
        )
    }

    @Test("a one-shot request body reaches the base unread, and the entry says so")
    func oneShotRequest() throws {
        let file = CassetteFile()
        let base = RecordingScript { request, _ in
            HTTP.Response(200, body: .bytes(try await request.body.collect()))
        }
        let recorder = try RecordingTransport(.record, cassette: file.path, over: base)
        let request = HTTP.Request.put("https://a.example/", body: .oneShot(Chunks(rest: ["up"])))

        let recorded = try Exchange.all([request], over: recorder)

        let entry = try unwrap(HAR(json: file.data).log.entries.first)
        expectEqual(recorded.first?.body, Data("up".utf8))
        expectEqual(entry.request.postData?.text, nil)
        expectEqual(entry.request.postData?.comment?.contains("one-shot stream"), true)
        expectEqual(entry.request.bodySize, -1)
    }
}

/// Chunks with a second before each.
private struct Paced: AsyncSequence, AsyncIteratorProtocol, Sendable {
    var rest: [String]
    let runtime: Runtime

    func makeAsyncIterator() -> Paced { self }

    mutating func next() async throws -> Data? {
        guard !rest.isEmpty else { return nil }
        try await runtime.sleep(for: .seconds(1))
        return Data(rest.removeFirst().utf8)
    }
}
