#if AsyncHTTPClient
import AsyncHTTPClient
import Foundation
import InterceptorKit
import InterceptorKitAsyncHTTPClient
import InterceptorKitTesting
import TestRun
import Testing

/// A server that says more than it was asked.
@Suite(
    "AsyncHTTPClientTransport with unsolicited responses",
    .tags(.sockets),
    .serializedAcrossSuites,
    .timeLimit(.minutes(1))
)
struct UnaskedAnswerTests {
    private static let whole = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nother"
    private static let begun = "HTTP/1.1 200 OK\r\nX-Other: "

    @Test(
        "closes an idle connection on which one arrives whole or in part",
        arguments: [whole, begun]
    )
    func idle(other: String) async throws {
        let server = try LoopbackServer.start { request in
            guard request.number == 1 else { return .text("next") }
            return .text("own").followed(by: other, after: .milliseconds(50))
        }
        let transport = AsyncHTTPClientTransport()

        let first = try await transport.send(.get(server.url("/")), call: Call()).text()
        try await server.waitForOpenConnections(0)
        let next = try await transport.sendAfterClosing(.get(server.url("/")))

        #expect(first == "own")
        #expect(next.headers["X-Other"] == nil)
        #expect(try await next.text() == "next")
        #expect(server.connectionCount == 2)
    }

    @Test("delivers none to a call that waits for the connection")
    func waiting() async throws {
        let server = try LoopbackServer.start { request in
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

        #expect(try await first.value == "own")
        #expect(next?.code == .protocolViolation)
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
