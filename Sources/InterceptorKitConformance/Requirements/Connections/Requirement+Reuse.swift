import InterceptorKit
import InterceptorKitTesting

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension TransportConformance.Requirement {
    static let reuse: [Self] = [
        reused("uses a connection again after a body of a stated length", .text("hello")),
        reused("uses a connection again after a body in chunks", .text("hello").chunked(size: 2)),
        reused("uses a connection again after a response without a body", .status(204)),
        reused("uses a connection again after an error status", .text("no", status: 500)),
        reused("uses a connection again after HEAD", .text("hello")) { HTTP.Request(.head, $0) },
        reused("uses a connection again after HEAD with an empty stream", .text("hello")) {
            HTTP.Request(.head, $0, body: .replayable(length: 0) { Samples.chunks(0, of: 1) })
        },
        Self("uses a connection again after HEAD with an empty file") { context in
            try await Samples.withFile(Data()) { path in
                try await context.expectReuse(.text("hello")) {
                    HTTP.Request(.head, $0, body: .file(path))
                }
            }
        },
        Self("does not use a connection again that the server said it closes") { context in
            let server = try context.server(.text("hello").closingAfter())

            for _ in 0..<3 { _ = try await context.exchange(.get(server.url("/"))) }

            try expect(server.connectionCount, is: 3, "The number of connections")
        },
        Self("does not use a connection again after a body that ended with it") { context in
            let server = try context.server(.text("hello").endingWithConnection())

            for _ in 0..<3 {
                let (_, body) = try await context.exchange(.get(server.url("/")))
                try expect(String(decoding: body, as: UTF8.self), is: "hello", "The body")
            }

            try expect(server.connectionCount, is: 3, "The number of connections")
        },
        Self("does not take the rest of an abandoned body for the next answer") { context in
            let server = try context.server { request in
                request.path == "/"
                    ? .status(200, body: Samples.bytes(2_000_000)) : .text("next")
            }

            for _ in 0..<3 {
                let response = try await context.send(.get(server.url("/")))
                for try await _ in response.body { break }
                let (_, body) = try await context.exchange(.get(server.url("/next")))
                try expect(String(decoding: body, as: UTF8.self), is: "next", "The next body")
            }
        },
        Self("keeps the answers on one connection apart") { context in
            let server = try context.server { request in
                let size = Int(request.query ?? "") ?? 0
                let reply = LoopbackServer.Reply.status(200, body: Samples.bytes(size))
                return request.number.isMultiple(of: 2) ? reply.chunked(size: 100) : reply
            }

            for size in [0, 1, 5_000, 3, 70_000, 0, 12] {
                let (_, body) = try await context.exchange(.get(server.url("/?\(size)")))
                try expect(body, is: Samples.bytes(size), "The body")
            }
        },
        Self("does not take what came on an idle connection for a response") { context in
            let gate = Gate("first exchange")
            let server = try context.server { request in
                switch request.path {
                case "/meanwhile":
                    try? await gate.pass()
                    return .text("meanwhile").delayed(by: .milliseconds(300)).closingAfter()
                case "/first":
                    gate.open()
                    let forged = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged"
                    return .text("first").followed(by: forged, after: .milliseconds(50))
                default:
                    return .text("next")
                }
            }

            // The response comes when the other connection has long been idle, which is then used again.
            async let meanwhile = context.exchange(.get(server.url("/meanwhile")))
            try await server.waitForRequests(1)
            _ = try await context.exchange(.get(server.url("/first")))
            _ = try await meanwhile
            do {
                let (_, body) = try await context.exchange(.get(server.url("/next")))
                try expect(String(decoding: body, as: UTF8.self), is: "next", "The next body")
            } catch is TransportError {}
        },
        Self("survives that the server closes a connection between two requests") { context in
            let server = try context.server(.text("hello").closedSilentlyAfter())

            for _ in 0..<5 {
                let (_, body) = try await context.exchange(.get(server.url("/")))
                try expect(String(decoding: body, as: UTF8.self), is: "hello", "The body")
                try await server.waitForOpenConnections(0)
            }

            try expect(server.requests.count, is: 5, "The number of requests")
        },
    ]

    private static func reused(
        _ name: String,
        _ reply: LoopbackServer.Reply,
        request: @escaping @Sendable (HTTP.URL) -> HTTP.Request = { .get($0) }
    ) -> Self {
        Self(name) { try await $0.expectReuse(reply, request: request) }
    }
}

extension ConformanceContext {
    fileprivate nonisolated(nonsending) func expectReuse(
        _ reply: LoopbackServer.Reply,
        request: (HTTP.URL) -> HTTP.Request
    ) async throws {
        let server = try server(reply)

        // An engine may need a moment to take a connection back, so one more is allowed.
        for _ in 0..<12 { _ = try await exchange(request(server.url("/"))) }
        _ = try await exchange(.get(server.url("/")))

        let count = server.connectionCount
        try expect(count <= 4, "13 requests, one after the other, took \(count) connections.")
    }
}
