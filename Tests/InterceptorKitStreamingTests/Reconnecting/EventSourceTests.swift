import Expectations
import Foundation
import InterceptorKit
import InterceptorKitStreaming
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("EventSource")
struct EventSourceTests {
    private let request: HTTP.Request = .get("https://a.example/feed")

    @Test("goes on after the last event when a stream ends, breaks or is silent")
    func breaks() throws {
        let feed = Feed(
            .text("id: 1\ndata: a\n\n"),
            .events(
                .text("id: 2\ndata: b\n\nid: 3\nda"),
                .failure(TransportError(.connectionLost, "It broke."))
            ),
            .events(.text("id: 3\ndata: c\n\n"), .stall),
            .text("id: 4\ndata: d\n\n")
        )

        let run = try EventSourceRun(feed)

        expectEqual(run.data, ["a", "b", "c", "d"])
        expectEqual(run.lastEventIDs, [nil, "1", "2", "3", "4"])
        let reasons = run.reasons.map { "\(type(of: $0))" }
        expectEqual(
            reasons,
            ["StreamingError", "TransportError", "TimeoutError", "StreamingError"]
        )
        expectTrue(run.hasEnded && run.ending == nil)
        expectEqual(run.open, 0)
    }

    @Test(
        "connects again after a status that may pass",
        arguments: [408, 425, 429, 500, 502, 503, 504, 520]
    )
    func transient(status: Int) throws {
        let feed = Feed(.status(HTTP.Status(status)), .text("data: a\n\n"))

        try expectEqual(EventSourceRun(feed, upTo: 1).data, ["a"])
    }

    @Test(
        "ends with the response of a final status",
        arguments: [201, 202, 205, 206, 301, 400, 401, 403, 404, 410, 501]
    )
    func final(status: Int) async throws {
        let run = try EventSourceRun(Feed(.status(HTTP.Status(status), [:], "why")))

        let error = try unwrap(run.ending as? HTTP.StreamingError)
        expectEqual(error.code, .refused)
        expectEqual(error.response?.status.code, status)
        expectTrue(FailurePattern.status(HTTP.Status(status)).matches(error))
        try await expectEqual(error.response?.text(), "why")
        expectEqual(run.requests.count, 1)
        expectEqual(run.open, 0)
    }

    @Test("ends with a response of another media type", arguments: ["text/html", nil])
    func mediaType(type: String?) throws {
        let headers: HTTP.Headers = type.map { ["Content-Type": $0] } ?? [:]
        let run = try EventSourceRun(Feed(.status(200, headers, "data: a\n\n")))

        expectEqual((run.ending as? HTTP.StreamingError)?.code, .unexpectedMediaType)
        expectTrue(run.events.isEmpty && run.open == 0)
    }

    @Test(
        "waits as long as Retry-After says",
        arguments: [
            ("20", .seconds(20)...(.seconds(20))),
            // The simulation begins at 00:00:00.
            ("Thu, 01 Jan 2026 00:01:30 GMT", .seconds(90)...(.seconds(90))),
            ("Thu, 01 Jan 1970 00:00:00 GMT", .zero...(.seconds(1))),
        ] as [(String, ClosedRange<Duration>)]
    )
    func retryAfter(value: String, expected: ClosedRange<Duration>) throws {
        for status: HTTP.Status in [429, 503] {
            let feed = Feed(.status(status, ["Retry-After": value]), .text("data: a\n\n"))

            let run = try EventSourceRun(feed, upTo: 1)

            #expect(expected.contains(try unwrap(run.waits.first)))
            expectEqual(run.data, ["a"])
        }
    }

    @Test("obeys a status that an interceptor has made an error of")
    func responseError() throws {
        let feed = Feed(
            .status(503, ["Retry-After": "7"]),
            .text("data: a\n\n"),
            .status(404)
        )

        let run = try EventSourceRun(feed, interceptors: [ErrorFilterInterceptor()])

        expectEqual(run.data, ["a"])
        expectEqual(run.waits.first, .seconds(7))
        expectEqual((run.ending as? ResponseError)?.status, 404)
    }

    @Test("connects again after errors that may pass, and ends with others")
    func errors() throws {
        let feed = Feed(
            .failure(TransportError(.cannotConnect, "Nobody listens.")),
            .failure(TimeoutError(.attempt, limit: .seconds(1))),
            .failure(Problem(text: "mine"))
        )

        let run = try EventSourceRun(feed)

        expectEqual(run.requests.count, 3)
        expectEqual(run.ending as? Problem, Problem(text: "mine"))
    }

    @Test("connects at most once a second to a server that accepts and closes")
    func acceptThenClose() throws {
        let feed = Feed { _, number in
            number <= 100 ? .text("retry: 0\n\nid: \(number)\ndata: a\n\n") : .noContent
        }

        let run = try EventSourceRun(feed)

        expectEqual(run.data.count, 100)
        expectTrue(run.end >= .seconds(100))
        let gaps = zip(run.times.dropFirst(), run.times).map { $0 - $1 }
        expectTrue(gaps.allSatisfy { $0 >= .seconds(1) })
    }

    @Test("waits longer and longer while connections bring no event")
    func growth() throws {
        let feed = Feed { _, number in
            switch number {
            case ...6: .text(": comment\n\n")
            case 7: .text("data: a\n\n")
            default: .noContent
            }
        }
        var options = HTTP.EventSourceOptions()
        options.backoff.jitter = .none

        let run = try EventSourceRun(feed, request, options)

        expectEqual(run.waits, [1, 2, 4, 8, 16, 30, 1].map { .seconds($0) })
    }

    @Test("waits as long as the server's retry says")
    func retry() throws {
        let run = try EventSourceRun(Feed(.text("retry: 12345\n\ndata: a\n\n")))

        expectEqual(run.waits, [.milliseconds(12_345)])
    }

    @Test("takes a comment for a sign of life, and not the time of a slow reader")
    func silence() throws {
        let beats = (0..<10).flatMap { _ -> [Feed.Piece] in [.wait(.seconds(50)), .text(":\n\n")] }
        let feed = Feed(Feed.Reply(pieces: beats + [.text("data: a\n\n")]))

        let data = try Simulation.run(seed: 1) { simulation in
            let client = HTTP.Client(transport: feed, runtime: simulation.runtime)
            var data: [String] = []
            for try await update in client.events(request).updates {
                if case .event(let event) = update { data.append(event.data) }
                if case .opened = update { try await simulation.runtime.sleep(for: .seconds(500)) }
            }
            return data
        }

        expectEqual(data, ["a"])
        expectEqual(feed.requests.count, 2)
    }

    @Test("is not cut by the standard client when it is silent for 50 s")
    func standardClient() throws {
        let feed = Feed(.events(.wait(.seconds(50)), .text("data: a\n\n")))

        let events = try Simulation.run(seed: 1) { simulation in
            let client = try HTTP.Client.standard(transport: feed, runtime: simulation.runtime)
            var events: [String] = []
            for try await event in client.events(request) { events.append(event.data) }
            return events
        }

        expectEqual(events, ["a"])
        expectEqual(feed.requests.count, 2)
    }

    @Test("passes the chain for each connection, so a refused token is refreshed")
    func token() throws {
        let feed = Feed { request, number in
            switch (number, request.headers["Authorization"]) {
            case (1, "Bearer 1"): .text("id: 1\ndata: a\n\n")
            case (2, "Bearer 1"): .status(401)
            case (3, "Bearer 2"): .text("id: 2\ndata: b\n\n")
            default: .noContent
            }
        }
        let source = RefreshableCredentialSource(initial: { .bearer("1") }) { _ in .bearer("2") }

        let run = try EventSourceRun(
            feed,
            interceptors: [TokenInterceptor(source: source, origins: ["https://a.example"])]
        )

        expectEqual(run.data, ["a", "b"])
        expectEqual(run.lastEventIDs, [nil, "1", "1", "2"])
    }

    @Test("writes the id where it is told to")
    func cursor() throws {
        var options = HTTP.EventSourceOptions()
        options.lastEventID = "a b"
        options.resume = { request, id in
            request.url = request.url.appending(query: ["after": id])
        }

        let run = try EventSourceRun(Feed(.text("id: c\ndata: 1\n\n")), request, options)

        expectEqual(run.requests.map(\.url.query), ["after=a%20b", "after=c"])
        expectEqual(run.lastEventIDs, [nil, nil])
    }

    @Test("ends at an id that no field can carry", arguments: ["a\u{1}b", "a\u{7F}", " a", "a\t"])
    func unsendable(id: String) throws {
        let run = try EventSourceRun(Feed(.text("id: \(id)\ndata: 1\n\n")))

        let error = run.ending as? HTTP.StreamingError
        expectEqual(run.data, ["1"])
        expectEqual(error?.code, .unsendableID)
    }

    @Test("sends an id with a tab within, which a field can carry")
    func tab() throws {
        let run = try EventSourceRun(Feed(.text("id: a\tb\ndata: 1\n\n")))

        expectEqual(run.lastEventIDs, [nil, "a\tb"])
    }

    @Test("goes on after the last event, also when what came again breaks off")
    func brokenReplay() throws {
        let feed = Feed(
            .text("id: 1\ndata: a\n\nid: 2\ndata: b\n\nid: 3\ndata: c\n\n"),
            .text("id: 1\ndata: a\n\nid: 2\ndata: b\n\n"),
            .text("id: 4\ndata: d\n\n")
        )

        let run = try EventSourceRun(feed)

        expectEqual(run.data, ["a", "b", "c", "d"])
        expectEqual(run.lastEventIDs, [nil, "3", "3", "4"])
    }

    @Test("moves on with a block that has an id alone")
    func idAlone() throws {
        let run = try EventSourceRun(Feed(.text("id: 1\ndata: a\n\nid: 2\n\n")))

        expectEqual(run.lastEventIDs, [nil, "2"])
        expectEqual(run.data, ["a"])
    }

    @Test("ends at an event over the limit, and keeps those before it")
    func limit() throws {
        var options = HTTP.EventSourceOptions()
        options.eventLimit = 10
        let feed = Feed(.text("data: 12345\n\ndata: 123\ndata: 12345\ndata: 1\n\n"))

        let run = try EventSourceRun(feed, request, options)

        expectEqual(run.data, ["12345"])
        expectEqual((run.ending as? HTTP.StreamingError)?.code, .tooLong)
        expectEqual(run.open, 0)
    }

    @Test("ends where a body can be sent once only")
    func oneShot() throws {
        let body = HTTP.Body.oneShot(AsyncStream<Data> { $0.finish() })
        let feed = Feed { request, number in .text("data: \(number)\n\n") }
        let reading = ReadingTransport(feed)

        let run = try Simulation.run(seed: 1) { simulation in
            let client = HTTP.Client(transport: reading, runtime: simulation.runtime)
            var updates: [String] = []
            do {
                for try await event in client.events(.post("https://a.example/feed", body: body)) {
                    updates.append(event.data)
                }
            } catch {
                updates.append("\(type(of: error))")
            }
            return updates
        }

        expectEqual(run, ["1", "ContentError"])
    }

    @Test("tells what happens, in order")
    func updates() throws {
        let run = try EventSourceRun(Feed(.text(":hello\n\ndata: a\n\n")))

        let names = run.updates.map { update in
            switch update {
            case .opened(let response): "opened \(response.status.code)"
            case .event: "event"
            case .comment(let text): "comment \(text)"
            case .willReconnect: "will reconnect"
            case .ended: "ended"
            }
        }
        expectEqual(names, ["opened 200", "comment hello", "event", "will reconnect", "ended"])
    }

    @Test("releases the connection when the loop is left")
    func leaving() throws {
        let run = try EventSourceRun(Feed(.events(.text("data: a\n\n"), .stall)), upTo: 1)

        expectEqual(run.open, 0)
        expectEqual(run.end, .zero)
    }
}

/// Reads a request's body, as a transport does that sends it.
private struct ReadingTransport: Transport {
    let base: Feed

    init(_ base: Feed) { self.base = base }

    nonisolated(nonsending) func send(
        _ request: HTTP.Request,
        call: Call
    ) async throws -> HTTP.Response {
        _ = try await request.body.collect()
        return try await base.send(request, call: call)
    }
}
