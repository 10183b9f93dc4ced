import Expectations
import InterceptorKit
import InterceptorKitStreaming
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("EventBroadcaster in the guide")
struct EventBroadcasterGuideTests {
    @Test("publishes as the documentation shows it")
    func documented() async throws {
        let broadcaster = HTTP.EventBroadcaster(HTTP.MemoryEventStore(capacity: 10_000))
        try await broadcaster.publish(HTTP.ServerSentEvent(data: "3.90", type: "price"))
        broadcaster.finish()
        let request = HTTP.Request.get("/prices")
        let response = try await respond(to: request, from: broadcaster)

        try await expectTrue(response.body.collect().isEmpty)
    }

    @Test("tells a client that has all events to come no more")
    func noMore() async throws {
        let connections = try await onEverySeed(0..<10) { simulation in
            let broadcaster = HTTP.EventBroadcaster(
                HTTP.MemoryEventStore(capacity: 100, runtime: simulation.runtime),
                runtime: simulation.runtime
            )
            let first = try await broadcaster.publish(HTTP.ServerSentEvent(data: "1"))
            try await broadcaster.publish(HTTP.ServerSentEvent(data: "2"))
            broadcaster.finish()
            let transport = ScriptedTransport<HTTP.Request> { request, _ in
                if let end = try await end(for: request, from: broadcaster) { return end }
                let events = try await broadcaster.events(after: request.headers["Last-Event-ID"])
                return .eventStream(events, runtime: simulation.runtime)
            }
            let client = HTTP.Client(transport: transport, runtime: simulation.runtime)
            var options = HTTP.EventSourceOptions()
            options.lastEventID = first

            var data: [String] = []
            for try await event in client.events(.get("https://a.example/"), options: options) {
                data.append(event.data)
            }

            try requireEqual(data, ["2"])
            return transport.sent.count
        }

        expectEqual(connections, 2)
    }

    private func respond(
        to request: HTTP.Request,
        from broadcaster: HTTP.EventBroadcaster
    ) async throws -> HTTP.Response {
        let events = try await broadcaster.events(after: request.headers["Last-Event-ID"])
        return .eventStream(events)
    }

    private func end(
        for request: HTTP.Request,
        from broadcaster: HTTP.EventBroadcaster
    ) async throws -> HTTP.Response? {
        if broadcaster.isFinished,
            try await broadcaster.store.lastEventID() == request.headers["Last-Event-ID"]
        {
            return HTTP.Response(204)
        }
        return nil
    }
}
