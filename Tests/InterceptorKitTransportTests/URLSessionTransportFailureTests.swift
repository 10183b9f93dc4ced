import Expectations
import Foundation
import InterceptorKit
import InterceptorKitTesting
import InterceptorKitTransport
import TestRun
import Testing

@Suite(
    "URLSessionTransport on a failure",
    .tags(.sockets),
    .serializedAcrossSuites,
    .timeLimit(.minutes(10))
)
struct URLSessionTransportFailureTests {
    private let transport = URLSessionTransport()

    @Test("ends a request at its deadline while it waits for a connection")
    func deadlineInQueue() async throws {
        var settings = URLSessionTransport.Settings()
        settings.maximumConnectionsPerHost = 1
        let transport = try URLSessionTransport(settings: settings)
        let server = try LoopbackServer { _ in .stalled }
        let url = server.url("/first")
        let first = Task { try await transport.send(.get(url), call: Call()) }
        try await server.waitForRequests(1)

        let error = await #expect(throws: TransportError.self) {
            try await transport.send(
                .get(server.url("/second")),
                call: Call().withDeadline(within: .milliseconds(200))
            )
        }
        first.cancel()

        expectEqual(error?.code, .timedOut)
        await #expect(throws: CancellationError.self) { try await first.value }
        expectEqual(server.requests.map(\.path), ["/first"])
    }

    @Test("refuses a call that names an address to connect to, and sends nothing")
    func connectAddress() async throws {
        let server = try LoopbackServer { _ in .text("here") }
        var call = Call()
        call.connectAddress = HTTP.ConnectAddress(host: "127.0.0.1", port: server.port)

        let error = await #expect(throws: TransportError.self) {
            try await transport.send(.get(server.url("/")), call: call)
        }

        expectEqual(error?.code, .unsupported)
        expectEqual(error?.isUnsent, true)
        expectEqual(error?.classification.kind, .permanent)
        expectEqual(error?.message.contains("CurlTransport"), true)
        expectEqual(server.connectionCount, 0)
    }

    static let impossible: [(HTTP.Request, HTTP.RequestError.Code)] = [
        (.get("", headers: ["X-A": "1\r\nX-Injected: 1"]), .invalidField),
        (.get("", headers: ["X-A: 1\r\nX-Injected": "1"]), .invalidField),
        (.get("", headers: ["Content-Length": "1"]), .invalidField),
        (HTTP.Request("GET / HTTP/1.1\r\nX-Injected: 1\r\n", ""), .invalidMethod),
        (HTTP.Request(.get, "", body: "x"), .invalidBody),
        (.put("", body: .oneShot(stream(of: 11))), .bodyTooLarge),
        (.put("", body: .file(#filePath, range: 0..<11)), .bodyTooLarge),
    ]

    @Test(
        "refuses a request that cannot be sent unchanged, and sends nothing",
        arguments: impossible.indices
    )
    func refusesImpossible(index: Int) async throws {
        var settings = URLSessionTransport.Settings()
        settings.maximumRequestBodyBytes = 10
        let transport = try URLSessionTransport(settings: settings)
        let server = try LoopbackServer { _ in .status(200) }
        var (request, code) = URLSessionTransportFailureTests.impossible[index]
        request.url = server.url("/")

        let error = await #expect(throws: HTTP.RequestError.self) {
            try await transport.send(request, call: Call())
        }

        expectEqual(error?.code, code)
        expectEqual(server.connectionCount, 0)
    }

    @Test("throws a TransportError, not a cancellation, for a cancelled body")
    func cancelledBody() async throws {
        let body = HTTP.Body.oneShot(stream(of: 3))
        body.cancel()

        let error = await #expect(throws: TransportError.self) {
            try await transport.send(.put("http://127.0.0.1:1/", body: body), call: Call())
        }

        expectEqual(error?.isUnsent, true)
    }
}

private func stream(of count: Int) -> AsyncStream<Data> {
    AsyncStream { continuation in
        continuation.yield(Data(count: count))
        continuation.finish()
    }
}
