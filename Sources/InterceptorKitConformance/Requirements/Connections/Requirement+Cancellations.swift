import InterceptorKit
import InterceptorKitTesting

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension TransportConformance.Requirement {
    // The servers here never finish on their own, so an operation that cancellation does not end hangs.
    static let cancellations: [Self] = [
        Self("sends nothing for a task that is cancelled already") { context in
            let server = try context.server(.status(200))

            try await context.cancelled("The send", when: {}) {
                while !Task.isCancelled { await Task.yield() }
                return try await context.send(.get(server.url("/first")))
            }
            _ = try await context.exchange(.get(server.url("/second")))

            try expect(server.requests.map(\.path), is: ["/second"], "What arrived")
        },
        Self("ends a send that waits for the head, and its connection") { context in
            let server = try context.server(.stalled)

            try await context.cancelled("The send", when: { try await server.waitForRequests(1) }) {
                try await context.send(.get(server.url("/")))
            }

            try await server.waitForOpenConnections(0)
        },
        Self("ends a send whose connection nobody has accepted") { context in
            var options = LoopbackServer.Options()
            options.acceptsConnections = false
            let server = try context.server(options) { _ in .status(200) }

            try await context.cancelled(
                "The send",
                when: { try await Runtime.live.sleep(for: .milliseconds(50)) }
            ) {
                try await context.send(.get(server.url("/")))
            }
        },
        Self("ends a send within the request's body") { context in
            var options = LoopbackServer.Options()
            options.connectionFault = { _ in .stalled(afterBytes: 50_000) }
            let server = try context.server(options) { _ in .status(200) }

            try await context.cancelled(
                "The send",
                when: { try await server.waitForReceivedBytes(50_000) }
            ) {
                try await context.send(
                    .put(server.url("/"), body: .bytes(Samples.bytes(8_000_000)))
                )
            }

            try await server.waitForOpenConnections(0)
        },
        Self("ends a send while the request's body is made") { context in
            let server = try context.server(.status(200))
            let (chunks, source) = AsyncStream.makeStream(of: Data.self)
            defer { source.finish() }

            try await context.cancelled(
                "The send",
                when: { try await Runtime.live.sleep(for: .milliseconds(50)) }
            ) {
                try await context.send(.post(server.url("/"), body: .oneShot(chunks)))
            }

            try expect(server.requests.isEmpty, "The server received a whole request.")
        },
        Self("ends a send though the body's stream heeds nothing") { context in
            let server = try context.server(.status(200))
            let body = StalledStream()
            defer { body.end() }

            try await context.cancelled("The send", when: { await body.waitForStall() }) {
                try await context.send(.post(server.url("/"), body: .oneShot(body)))
            }

            try await server.waitForOpenConnections(0)
        },
        Self("ends a send within the head") { context in
            let server = try context.server(.text("x").stalledInHead(after: 20))

            try await context.cancelled("The send", when: { try await server.waitForRequests(1) }) {
                try await context.send(.get(server.url("/")))
            }

            try await server.waitForOpenConnections(0)
        },
        Self("ends the reading of a body, and its connection") { context in
            let server = try context.server(.text("0123456789").stalledInBody(after: 4))
            let (seen, source) = AsyncStream.makeStream(of: Void.self)

            try await context.cancelled("The reading", when: { for await _ in seen { break } }) {
                let response = try await context.send(.get(server.url("/")))
                for try await _ in response.body { source.yield() }
            }

            try await server.waitForOpenConnections(0)
        },
        Self("ends a body that is cancelled from outside, and its connection") { context in
            let server = try context.server(.text("0123456789").stalledInBody(after: 4))
            let response = try await context.send(.get(server.url("/")))
            var chunks = response.body.makeAsyncIterator()
            _ = try await chunks.next()

            response.body.cancel()

            do {
                while try await chunks.next() != nil {}
                throw ExpectationFailure("The reading ended as if the body had been complete.")
            } catch is CancellationError {}
            try await server.waitForOpenConnections(0)
        },
        Self("releases the connection of a body that nobody reads") { context in
            let server = try context.server(.text("0123456789").stalledInBody(after: 4))

            let status = try await context.send(.get(server.url("/"))).status

            try expect(status, is: 200, "The status")
            try await server.waitForOpenConnections(0)
        },
        Self("releases the connection of a body that is read in part") { context in
            let server = try context.server(.text("0123456789").stalledInBody(after: 4))

            let response = try await context.send(.get(server.url("/")))
            for try await _ in response.body { break }

            try await server.waitForOpenConnections(0)
        },
        Self("ends one call and no other") { context in
            let server = try context.server { request in
                request.path == "/cancelled"
                    ? .stalled : .text("other").bodyDelayed(by: .seconds(1))
            }

            async let other = context.exchange(.get(server.url("/other")))
            try await context.cancelled("The send", when: { try await server.waitForRequests(2) }) {
                try await context.send(.get(server.url("/cancelled")))
            }
            let (_, body) = try await other

            try expect(String(decoding: body, as: UTF8.self), is: "other", "The other body")
        },
        Self("works on after many cancellations") { context in
            let server = try context.server { $0.path == "/" ? .stalled : .text("fine") }

            for _ in 0..<30 {
                await withTaskGroup { group in
                    group.addTask { _ = try? await context.send(.get(server.url("/"))) }
                    for _ in 0..<5 { await Task.yield() }
                    group.cancelAll()
                }
            }
            let (_, body) = try await context.exchange(.get(server.url("/next")))

            try expect(String(decoding: body, as: UTF8.self), is: "fine", "The next body")
        },
    ]
}

extension ConformanceContext {
    /// Starts an operation, cancels it at a given moment, and expects it to end as cancelled.
    nonisolated(nonsending) func cancelled<Value: Sendable>(
        _ what: String,
        when moment: nonisolated(nonsending) () async throws -> Void,
        _ operation: @escaping @Sendable () async throws -> Value
    ) async throws {
        let task = Task { try await operation() }
        defer { task.cancel() }
        try await moment()
        task.cancel()
        try await cancellation(of: what) { try await task.value }
    }
}
