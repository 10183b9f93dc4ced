#if AsyncHTTPClient
import Expectations
import AsyncHTTPClient
import InterceptorKit
import InterceptorKitAsyncHTTPClient
import InterceptorKitTesting
import TestRun
import Testing

@Suite(
    "AsyncHTTPClientTransport with a hostile HTTP/1.1 server",
    .tags(.sockets),
    .serializedAcrossSuites,
    .timeLimit(.minutes(10))
)
struct HTTP1GuardsTests {
    private static let whole = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nother"
    private static let begun = "HTTP/1.1 200 OK\r\nX-Other: "

    @Test(
        "refuses a status below 100 instead of ending the process",
        arguments: ["000", "001", "099"],
        ["", "Content-Length: 3\r\n\r\nabc", "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"]
    )
    func statusBelow100(status: String, rest: String) async throws {
        let transport = AsyncHTTPClientTransport()
        let server = try LoopbackServer { request in
            request.path == "/" ? .raw("HTTP/1.1 \(status) X\r\n\(rest)\r\n") : .text("fine")
        }

        for request: HTTP.Request in [.get(server.url("/")), .post(server.url("/"), body: "x")] {
            let error = await #expect(throws: TransportError.self) {
                try await transport.send(request, call: Call())
            }

            expectEqual(error?.code, .protocolViolation)
        }
        try await expectEqual(
            transport.send(.get(server.url("/next")), call: Call()).text(),
            "fine"
        )
    }

    @Test(
        "closes an idle connection on which a response arrives whole or in part",
        arguments: [whole, begun]
    )
    func idle(other: String) async throws {
        let server = try LoopbackServer { request in
            guard request.number == 1 else { return .text("next") }
            return .text("own").followed(by: other, after: .milliseconds(50))
        }
        let transport = AsyncHTTPClientTransport()

        let first = try await transport.send(.get(server.url("/")), call: Call()).text()
        try await server.waitForOpenConnections(0)
        let next = try await transport.sendAfterClosing(.get(server.url("/")))

        expectEqual(first, "own")
        expectEqual(next.headers["X-Other"], nil)
        try await expectEqual(next.text(), "next")
        expectEqual(server.connectionCount, 2)
    }

    @Test("delivers no unsolicited answer to a call that waits")
    func waiting() async throws {
        let server = try LoopbackServer { request in
            guard request.path == "/first" else { return .text("next") }
            return .status(200, headers: ["Content-Length": "3"], body: "own" + Self.whole)
                .delayed(by: .milliseconds(50))
        }
        var configuration = AsyncHTTPClientTransport.defaultConfiguration
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 1
        let transport = AsyncHTTPClientTransport(configuration: configuration)

        let first = Task {
            try await transport.send(.get(server.url("/first")), call: Call()).text()
        }
        try await server.waitForRequests(1)
        let next = await #expect(throws: TransportError.self) {
            try await transport.send(.get(server.url("/next")), call: Call()).text()
        }

        try await expectEqual(first.value, "own")
        expectEqual(next?.code, .protocolViolation)
    }
}

extension AsyncHTTPClientTransport {
    /// Sends a request, again if it met the connection that is just being closed: the server sees its end
    /// before the pool does.
    fileprivate func sendAfterClosing(_ request: HTTP.Request) async throws -> HTTP.Response {
        for _ in 0..<10 {
            do {
                return try await send(request, call: Call())
            } catch let error as TransportError where error.code == .connectionLost {
                await Task.yield()
            }
        }
        return try await send(request, call: Call())
    }
}
#endif
