import ConformanceReference
import Expectations
import InterceptorKit
import InterceptorKitConformance
import InterceptorKitStreaming
import InterceptorKitTesting
import TestRun
import Testing

@Suite("Replies with events", .tags(.sockets), .serializedAcrossSuites, .timeLimit(.minutes(10)))
struct LoopbackReplyEventsTests {
    private let events = (1...3).map { HTTP.ServerSentEvent(data: "price \($0)", id: "\($0)") }

    @Test("go on after the last event that the client has, and end with 204")
    func resumed() async throws {
        let events = events
        let server = try LoopbackServer { request in
            let reply = LoopbackServer.Reply.events(events, for: request)
            return request.number == 1 ? reply.resetInBody(after: 17) : reply
        }
        defer { server.stop() }
        let client = try HTTP.Client(transport: ReferenceTransport(), timeout: nil) {}
        var options = HTTP.EventSourceOptions()
        options.minimumInterval = .milliseconds(1)
        options.backoff = Backoff(base: .milliseconds(1), cap: .milliseconds(1))

        var received: [HTTP.ServerSentEvent] = []
        for try await event in client.events(.get(server.url("/")), options: options) {
            received.append(event)
        }

        expectEqual(received, events)
        expectEqual(server.requests.map { $0.headers["Last-Event-ID"] }, [nil, nil, "3"])
    }

    @Test("write every part of an event, from the first after an unknown id")
    func written() async throws {
        let event = HTTP.ServerSentEvent(
            data: "a\n\nb",
            type: "tick",
            id: "7",
            retry: .milliseconds(1500)
        )
        let server = try LoopbackServer { _ in .events([event], after: "unknown") }
        defer { server.stop() }
        let client = try HTTP.Client(transport: ReferenceTransport(), timeout: nil) {}

        let response = try await client.send(.get(server.url("/")))

        expectEqual(response.headers["Content-Type"], "text/event-stream")
        try await expectEqual(
            response.text(),
            "event: tick\nid: 7\nretry: 1500\ndata: a\ndata: \ndata: b\n\n"
        )
    }
}
