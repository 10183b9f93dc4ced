import InterceptorKit
import InterceptorKitStreaming
import InterceptorKitTesting

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The environment of a stream's trial: a client over a transport, and events to serve.
struct StreamContext: Sendable {
    let context: ConformanceContext
    let client: HTTP.Client

    /// Waits are negligible, except where a requirement is about them.
    var options: HTTP.EventSourceOptions {
        var options = HTTP.EventSourceOptions()
        options.minimumInterval = .milliseconds(1)
        options.backoff = Backoff(base: .milliseconds(1), cap: .milliseconds(5))
        return options
    }

    /// Events with parts that are easily lost: characters of several bytes, empty lines, and types.
    let events: [HTTP.ServerSentEvent] = [
        HTTP.ServerSentEvent(data: "first", id: "1"),
        HTTP.ServerSentEvent(data: "zweite Zürich 🚄", type: "départ", id: "2"),
        HTTP.ServerSentEvent(data: "{\n\n}", id: "3"),
        HTTP.ServerSentEvent(data: "", id: "4-x"),
        HTTP.ServerSentEvent(data: "last", id: "5"),
    ]

    /// Returns the number of bytes up to the middle of the event at an index.
    func middle(of index: Int) -> Int {
        let before = EventEncoding.bytes(of: events[..<index]).count
        return before + EventEncoding.bytes(of: events[index...index]).count / 2
    }

    /// Starts a resuming server of ``events``, whose first replies are changed.
    func server(
        changing count: Int = 1,
        _ change: @escaping @Sendable (LoopbackServer.Reply) -> LoopbackServer.Reply
    ) throws -> LoopbackServer {
        try context.server { [events] request in
            let reply = LoopbackServer.Reply.events(events, for: request).closingAfter()
            return request.number <= count ? change(reply) : reply
        }
    }

    /// Starts a server of one event stream, sent unchanged.
    func server(of text: String) throws -> LoopbackServer {
        try context.server(Self.stream(text))
    }

    /// Returns a response with an event stream, sent unchanged.
    static func stream(_ text: String) -> LoopbackServer.Reply {
        .status(200, headers: EventEncoding.headers, body: text)
    }

    func source(
        _ server: LoopbackServer,
        _ options: HTTP.EventSourceOptions? = nil
    ) -> HTTP.EventSource {
        client.events(.get(server.url("/")), options: options ?? self.options)
    }

    nonisolated(nonsending) func received(
        from server: LoopbackServer,
        _ options: HTTP.EventSourceOptions? = nil
    ) async throws -> [HTTP.ServerSentEvent] {
        var received: [HTTP.ServerSentEvent] = []
        for try await event in source(server, options) { received.append(event) }
        return received
    }

    /// Reads all of ``events`` from a server, and expects each once and in order.
    nonisolated(nonsending) func receiveAll(
        from server: LoopbackServer,
        _ options: HTTP.EventSourceOptions? = nil
    ) async throws {
        let received = try await received(from: server, options)
        try expect(received, is: events, "What was received")
    }

    /// Expects a source to end with an error of its own.
    nonisolated(nonsending) func failure(
        _ code: HTTP.StreamingError.Code,
        from server: LoopbackServer,
        _ options: HTTP.EventSourceOptions? = nil
    ) async throws -> HTTP.StreamingError {
        let error = try await context.failure(of: "The source") {
            try await received(from: server, options)
        }
        guard let error = error as? HTTP.StreamingError else {
            throw ExpectationFailure(
                "The source threw \(type(of: error)) instead of a StreamingError: \(error)"
            )
        }
        try expect(error.code, is: code, "The error's code")
        return error
    }

    /// Returns the ids that clients resumed from, in order.
    func resumedIDs(_ server: LoopbackServer) -> [String?] {
        server.requests.map { $0.headers["Last-Event-ID"] }
    }
}

extension TransportConformance.Requirement {
    /// Creates a requirement of a client and its streams.
    static func stream(
        _ name: String,
        _ body: @escaping @Sendable (StreamContext) async throws -> Void
    ) -> Self {
        Self(name) { context in
            let client = try Self.client(over: context.transport)
            try await body(StreamContext(context: context, client: client))
        }
    }

    private static func client(
        over transport: some Transport<HTTP.Request>
    ) throws -> HTTP.Client {
        try HTTP.Client(transport: transport) {}
    }
}
