import Expectations
import Foundation
import InterceptorKit
import InterceptorKitCurl
import InterceptorKitTesting
import TestRun
import Testing

@Suite(
    "CurlTransport on a failure",
    .tags(.sockets),
    .serializedAcrossSuites,
    .timeLimit(.minutes(10))
)
struct CurlTransportFailureTests {
    private let transport: CurlTransport

    init() throws { transport = try CurlTransport() }

    @Test("ends a send at its deadline while the body is still produced")
    func deadlineWhileSending() async throws {
        let (endless, continuation) = AsyncStream.makeStream(of: Data.self)
        defer { continuation.finish() }
        let server = try LoopbackServer { _ in .status(200) }

        let error = await #expect(throws: TransportError.self) {
            try await transport.send(
                .post(server.url("/"), body: .oneShot(endless)),
                call: Call().withDeadline(within: .milliseconds(50))
            )
        }

        expectEqual(error?.code, .timedOut)
        expectTrue(server.requests.isEmpty)
        try await server.waitForOpenConnections(0)
    }

    @Test(
        "ends an exchange whose head or trailers never end",
        arguments: [(200, 3000), (9000, 3), (20, 60_000), (1, 150_000), (100_000, 1)]
    )
    func endlessHead(lines: Int, length: Int) async throws {
        let field = "X-A: \(String(repeating: "a", count: length))\r\n"
        let fields = String(repeating: field, count: lines)
        let server = try LoopbackServer { request in
            request.path == "/head"
                ? .raw("HTTP/1.1 200 OK\r\n\(fields)Content-Length: 0\r\n\r\n")
                : .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\(fields)\r\n")
        }

        for path in ["/head", "/trailers"] {
            let error = await #expect(throws: TransportError.self) {
                try await transport.send(.get(server.url(path)), call: Call()).text()
            }
            expectEqual(error?.code, .protocolViolation, "\(path): \(error.map { "\($0)" } ?? "")")
            expectEqual(error?.isUnsent, false)
        }
        try await server.waitForOpenConnections(0)
    }

    static let impossible: [(HTTP.Request, HTTP.RequestError.Code)] = [
        (.get("", headers: ["X-A": "1\r\nX-Injected: 1"]), .invalidField),
        (.get("", headers: ["X-A: 1\r\nX-Injected": "1"]), .invalidField),
        (.get("", headers: ["Content-Length": "1"]), .invalidField),
        (HTTP.Request("GET / HTTP/1.1\r\nX-Injected: 1\r\n", ""), .invalidMethod),
        (HTTP.Request(.head, "", body: "x"), .invalidBody),
    ]

    @Test(
        "refuses a request that cannot be sent unchanged, and sends nothing",
        arguments: impossible.indices
    )
    func refusesImpossible(index: Int) async throws {
        let server = try LoopbackServer { _ in .status(200) }
        var (request, code) = CurlTransportFailureTests.impossible[index]
        request.url = server.url("/")

        let error = await #expect(throws: HTTP.RequestError.self) {
            try await transport.send(request, call: Call())
        }

        expectEqual(error?.code, code)
        expectEqual(server.connectionCount, 0)
    }
}
