import InterceptorKit
import InterceptorKitStreaming
import InterceptorKitTesting

extension TransportConformance.Requirement {
    static let streamRequests: [Self] = [
        stream("sends the fields of a request for events") { context in
            let server = try context.context.server(.status(204))

            _ = try await context.received(from: server)

            let headers = try context.context.single(server).headers
            try expect(headers.values("Accept"), is: ["text/event-stream"], "Accept")
            try expect(headers.values("Cache-Control"), is: ["no-cache"], "Cache-Control")
            try expect(headers["Last-Event-ID"], is: nil, "Last-Event-ID")
        },
        stream("begins after an id that was stored") { context in
            let server = try context.server { $0 }
            var options = context.options
            options.lastEventID = "3"

            let received = try await context.received(from: server, options)

            try expect(received.map(\.id), is: ["4-x", "5"], "The ids received")
            try expect(context.resumedIDs(server), is: ["3", "5"], "The ids sent")
        },
        stream("sends a body again with each connection") { context in
            let server = try context.server(changing: 2) {
                $0.truncated(after: context.middle(of: 1))
            }
            let body = Samples.bytes(100_000)
            let request = HTTP.Request.post(server.url("/"), body: .bytes(body))

            var received: [HTTP.ServerSentEvent] = []
            for try await event in context.client.events(request, options: context.options) {
                received.append(event)
            }

            try expect(received, is: context.events, "What was received")
            try expect(server.requests.count, is: 4, "The number of requests")
            for request in server.requests {
                try expect(request.method, is: .post, "The method")
                try expect(request.body, is: body, "The body")
            }
        },
        stream("sends the id as a closure writes it") { context in
            let server = try context.context.server { [events = context.events] request in
                let reply = LoopbackServer.Reply.events(
                    events,
                    after: request.query.map { String($0.dropFirst("after=".count)) }
                )
                return request.number == 1 ? reply.truncated(after: context.middle(of: 4)) : reply
            }
            var options = context.options
            options.resume = { request, id in
                request.url = request.url.appending(query: ["after": id])
            }

            try await context.receiveAll(from: server, options)

            try expect(
                server.requests.map(\.query),
                is: [nil, "after=4-x", "after=5"],
                "The queries"
            )
            try expect(context.resumedIDs(server), is: [nil, nil, nil], "Last-Event-ID")
        },
    ]
}
