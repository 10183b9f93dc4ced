import InterceptorKit
import InterceptorKitStreaming
import InterceptorKitTesting

extension TransportConformance.Requirement {
    // These servers never finish on their own, so a connection that is not released hangs.
    static let streamReleases: [Self] = [
        stream("ends a cancelled stream at once, and its connection") { context in
            try await context.endsOpenStream { task in task.cancel() }
        },
        stream("ends a stream whose client cancels everything, and its connection") { context in
            try await context.endsOpenStream { _ in context.client.cancelAll() }
        },
        stream("ends a cancelled wait for the head, and its connection") { context in
            let server = try context.context.server(.stalled)

            let task = Task { try await context.received(from: server) }
            try await server.waitForRequests(1)
            task.cancel()

            try await context.context.cancellation(of: "The stream") { try await task.value }
            try await server.waitForOpenConnections(0, timeout: .seconds(5))
        },
        stream("ends a cancelled wait between connections") { context in
            let server = try context.context.server(
                .status(503, headers: ["Retry-After": "3600"])
            )
            let (waits, source) = AsyncStream.makeStream(of: Void.self)

            let task = Task {
                for try await update in context.source(server).updates {
                    if case .willReconnect = update { source.yield() }
                }
            }
            for await _ in waits { break }
            task.cancel()

            try await context.context.cancellation(of: "The stream") { try await task.value }
        },
        stream("closes the connection of a loop that is left") { context in
            let server = try context.server { $0.stalledInBody(after: context.middle(of: 2)) }

            for try await event in context.source(server) where event.id == "2" { break }

            try await server.waitForOpenConnections(0, timeout: .seconds(5))
        },
        stream("leaves no connection open behind ten that broke") { context in
            let server = try context.server(changing: 10) {
                $0.stalledInBody(after: context.middle(of: 0))
            }
            var options = context.options
            options.silenceLimit = .milliseconds(30)

            try await context.receiveAll(from: server, options)

            try await server.waitForOpenConnections(0, timeout: .seconds(5))
            try expect(server.requests.count, is: 12, "The number of requests")
        },
    ]
}

extension StreamContext {
    /// Opens a stream, ends it, and expects it to end as cancelled without a connection left.
    fileprivate nonisolated(nonsending) func endsOpenStream(
        _ end: (Task<Void, any Error>) -> Void
    ) async throws {
        let server = try server { $0.stalledInBody(after: middle(of: 2)) }
        let (seen, source) = AsyncStream.makeStream(of: Void.self)

        let task = Task {
            for try await event in self.source(server) where event.id == "2" { source.yield() }
        }
        for await _ in seen { break }
        end(task)

        try await context.cancellation(of: "The stream") { try await task.value }
        try await server.waitForOpenConnections(0, timeout: .seconds(5))
    }
}
