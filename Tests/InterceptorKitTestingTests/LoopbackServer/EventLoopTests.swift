import Expectations
import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitTesting
import Synchronization
import TestRun
import Testing

@Suite("EventLoop", .tags(.sockets), .serializedAcrossSuites)
struct EventLoopTests {
    private static func get(_ target: String) -> String {
        "GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n"
    }

    private static func response(_ text: String) -> String {
        "HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\n"
            + "Content-Length: \(text.utf8.count)\r\n\r\n\(text)"
    }

    @Test("serves 200 connections at once")
    func servesManyConnections() async throws {
        let gate = Latch(200)
        let server = try LoopbackServer { request in
            await gate.arrive()
            return .text("\(request.path)!")
        }
        let clients = try (0..<200).map { _ in try RawClient(port: server.port) }

        for (index, client) in clients.enumerated() { client.send(Self.get("/\(index)")) }
        try await server.waitForRequests(200)
        let replies = clients.map { $0.read(until: "!") }

        expectEqual(replies, (0..<200).map { Self.response("/\($0)!") })
        expectEqual(server.connectionCount, 200)
    }

    @Test("cancels the handlers of clients that disconnect")
    func noticesClosedClients() async throws {
        let cancelled = Latch(1)
        let server = try LoopbackServer { _ in
            await untilCancelled()
            if Task.isCancelled { await cancelled.arrive() }
            return .text("late")
        }
        var client: RawClient? = try RawClient(port: server.port)

        client?.send(Self.get("/"))
        try await server.waitForRequests(1)
        client = nil
        try await server.waitForOpenConnections(0)
        await cancelled.opened()

        expectEqual(server.openConnections, 0)
        expectEqual(server.connectionCount, 1)
    }

    @Test("counts a connection as closed only once the client can see it")
    func closedForTheClient() async throws {
        let server = try LoopbackServer { request in
            let reply = LoopbackServer.Reply.status(200, body: "ab")
            return request.path == "/" ? reply.closedSilentlyAfter() : reply.resetAfter()
        }
        var late = 0

        for round in 0..<400 {
            let client = try RawClient(port: server.port)
            client.send("GET /\(round % 2 == 0 ? "" : "reset") HTTP/1.1\r\nHost: a\r\n\r\n")
            _ = client.read(until: "ab")
            try await server.waitForOpenConnections(0)
            if !client.isOver { late += 1 }
        }

        expectEqual(late, 0)
    }

    @Test("can be stopped by its own handler")
    func stopsItself() async throws {
        let box = Box()
        let server = try LoopbackServer { _ in
            box.server.withLock { $0 }?.stop()
            return .text("never")
        }
        box.server.withLock { $0 = server }
        let client = try RawClient(port: server.port)

        client.send(Self.get("/"))
        let text = client.readToEnd()
        server.stop()

        expectEqual(text, "")
        expectEqual(client.end, .closed)
        expectEqual(server.requests.count, 1)
    }

    private final class Box: Sendable {
        let server = Lock<LoopbackServer?>(nil)
    }
}
