import InterceptorKit
import InterceptorKitStreaming
import InterceptorKitTesting

extension TransportConformance.Requirement {
    static let streamEndings: [Self] = [
        stream("ends at a 204") { context in
            let server = try context.context.server(.status(204))

            try await expect(context.received(from: server), is: [], "What was received")

            try expect(server.requests.count, is: 1, "The number of requests")
        },
        stream("ends at another media type with the response's text") { context in
            let server = try context.context.server(.text("no events here"))

            let error = try await context.failure(.unexpectedMediaType, from: server)

            let text = try await error.response?.text()
            try expect(text, is: "no events here", "The response's text")
            try expect(server.requests.count, is: 1, "The number of requests")
        },
        refused(404), refused(501),
        stream("ends at an event beyond the limit, and its connection") { context in
            let feed = try LiveFeed(context.context)
            var options = context.options
            options.eventLimit = 1000
            feed.send("data: " + String(repeating: "x", count: 2000) + "\n\n")

            _ = try await context.failure(.tooLong, from: feed.server, options)

            try await feed.server.waitForOpenConnections(0, timeout: .seconds(5))
        },
    ]

    private static func refused(_ status: HTTP.Status) -> Self {
        stream("ends at a \(status.code) with the response's text") { context in
            let server = try context.context.server(.text("never", status: status))

            let error = try await context.failure(.refused, from: server)

            try expect(error.response?.status, is: status, "The status")
            let text = try await error.response?.text()
            try expect(text, is: "never", "The response's text")
            try expect(server.requests.count, is: 1, "The number of requests")
        }
    }
}
