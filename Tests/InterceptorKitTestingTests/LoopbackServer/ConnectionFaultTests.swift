import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestRun
import Testing

@Suite(
    "LoopbackServer with connection faults",
    .tags(.sockets),
    .serializedAcrossSuites,
    .timeLimit(.minutes(10))
)
struct ConnectionFaultTests {
    private static let request = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n"

    private func server(
        _ fault: LoopbackServer.ConnectionFault
    ) throws -> LoopbackServer {
        var options = LoopbackServer.Options()
        options.connectionFault = { $0 == 1 ? fault : nil }
        return try LoopbackServer(options: options) { _ in .text("ok").closingAfter() }
    }

    @Test("breaks one connection before its first byte, and no other")
    func beforeRequest() throws {
        let closing = try server(.closed())
        let resetting = try server(.reset())

        let closed = try RawClient(port: closing.port)
        let reset = try RawClient(port: resetting.port)
        let texts = [closed.readToEnd(), reset.readToEnd()]
        let second = try RawClient(port: closing.port)
        second.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        let answer = second.readToEnd()

        expectEqual(texts, ["", ""])
        expectEqual(closed.end, .closed)
        expectEqual(reset.end, .reset)
        expectTrue(answer.hasSuffix("ok"))
        expectEqual(closing.requests.count, 1)
    }

    @Test("breaks a connection within the request's body")
    func withinRequest() async throws {
        let closing = try server(.closed(afterBytes: 50))
        let resetting = try server(.reset(afterBytes: 50))

        let closed = try RawClient(port: closing.port)
        let reset = try RawClient(port: resetting.port)
        closed.send(Self.request)
        reset.send(Self.request)
        try await closing.waitForReceivedBytes(Self.request.utf8.count)
        try await resetting.waitForReceivedBytes(Self.request.utf8.count)
        closed.send("01234567")
        reset.send("01234567")
        let texts = [closed.readToEnd(), reset.readToEnd()]

        expectEqual(texts, ["", ""])
        expectEqual(closed.end, .closed)
        expectEqual(reset.end, .reset)
        expectTrue(closing.requests.isEmpty && resetting.requests.isEmpty)
    }

    @Test("never responds to a stalled connection, and closes with the client")
    func stalls() async throws {
        let server = try server(.stalled(afterBytes: 1))

        do {
            let client = try RawClient(port: server.port)
            client.send(Self.request + "0123456789")
            try await server.waitForReceivedBytes(Self.request.utf8.count + 10)
            try await server.waitForOpenConnections(1)
        }

        try await server.waitForOpenConnections(0)
        expectTrue(server.requests.isEmpty)
    }

    @Test("accepts no connection when the options say so")
    func acceptsNobody() throws {
        var options = LoopbackServer.Options()
        options.acceptsConnections = false
        let server = try LoopbackServer(options: options) { _ in .text("ok") }

        let client = try RawClient(port: server.port)
        let isSent = client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")

        expectTrue(isSent)
        expectEqual(server.connectionCount, 0)
    }

    @Test("responds before it reads the body when an early reply is set")
    func answersEarly() throws {
        var options = LoopbackServer.Options()
        options.earlyReply = { $0.method == .post ? .text("too large", status: 413) : nil }
        let server = try LoopbackServer(options: options) { .text($0.text).closingAfter() }

        let early = try RawClient(port: server.port)
        early.send(Self.request)
        let answer = early.readToEnd()
        let whole = try RawClient(port: server.port)
        whole.send("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nab")
        let echo = whole.readToEnd()

        expectTrue(answer.hasPrefix("HTTP/1.1 413"))
        expectTrue(answer.hasSuffix("too large"))
        expectTrue(echo.hasSuffix("ab"))
        expectEqual(server.requests.map(\.method), [.put])
    }
}
