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
    .timeLimit(.minutes(1))
)
struct CurlTransportFailureTests {
    private let transport: CurlTransport

    init() throws { transport = try CurlTransport() }

    @Test("ends a send at its deadline while the body is still produced")
    func deadlineWhileSending() async throws {
        let (endless, continuation) = AsyncStream.makeStream(of: Data.self)
        defer { continuation.finish() }
        let server = try LoopbackServer.start { _ in .status(200) }

        let error = await #expect(throws: TransportError.self) {
            try await transport.send(
                .post(server.url("/"), body: .oneShot(endless)),
                call: Call().deadline(within: .milliseconds(50))
            )
        }

        #expect(error?.code == .timedOut)
        #expect(server.requests.isEmpty)
        try await server.waitForOpenConnections(0)
    }

    @Test(
        "ends an exchange whose head or trailers never end",
        arguments: [(200, 3000), (9000, 3), (20, 60_000), (1, 150_000), (100_000, 1)]
    )
    func endlessHead(lines: Int, length: Int) async throws {
        let field = "X-A: \(String(repeating: "a", count: length))\r\n"
        let fields = String(repeating: field, count: lines)
        let server = try LoopbackServer.start { request in
            request.path == "/head"
                ? .raw("HTTP/1.1 200 OK\r\n\(fields)Content-Length: 0\r\n\r\n")
                : .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\(fields)\r\n")
        }

        for path in ["/head", "/trailers"] {
            let error = await #expect(throws: TransportError.self) {
                try await transport.send(.get(server.url(path)), call: Call()).text()
            }
            #expect(error?.code == .protocolViolation, "\(path): \(error.map { "\($0)" } ?? "")")
            #expect(error?.isCertainlyUnsent == false)
        }
        try await server.waitForOpenConnections(0)
    }

    @Test("ends a connection that is idle too long, before and within the body")
    func silent() async throws {
        var settings = CurlTransport.Settings()
        settings.idleTimeout = .milliseconds(200)
        let transport = try CurlTransport(settings: settings)
        let server = try LoopbackServer.start { request in
            request.path == "/body" ? .text("0123456789").stalledInBody(after: 4) : .stalled
        }

        let inHead = await #expect(throws: TransportError.self) {
            try await transport.send(.get(server.url("/head")), call: Call())
        }
        let response = try await transport.send(.get(server.url("/body")), call: Call())
        let inBody = await #expect(throws: TransportError.self) {
            try await response.body.collect()
        }

        #expect(inHead?.code == .timedOut)
        #expect(inBody?.code == .timedOut)
        try await server.waitForOpenConnections(0)
    }

    @Test("does not count a reader's pause as the peer's silence")
    func restingReader() async throws {
        var settings = CurlTransport.Settings()
        settings.idleTimeout = .milliseconds(300)
        settings.bufferedBytes = 1000
        let transport = try CurlTransport(settings: settings)
        let server = try LoopbackServer.start { request in
            request.path == "/" ? .status(200, body: Data(count: 5_000_000)) : .stalled
        }

        let response = try await transport.send(.get(server.url("/")), call: Call())
        // It rests for as long as the transport takes to give up two silent exchanges, one by one.
        for _ in 0..<2 {
            let error = await #expect(throws: TransportError.self) {
                try await transport.send(.get(server.url("/silent")), call: Call())
            }
            #expect(error?.code == .timedOut)
        }
        let count = try await response.body.collect().count

        #expect(count == 5_000_000)
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
        let server = try LoopbackServer.start { _ in .status(200) }
        var (request, code) = CurlTransportFailureTests.impossible[index]
        request.url = server.url("/")

        let error = await #expect(throws: HTTP.RequestError.self) {
            try await transport.send(request, call: Call())
        }

        #expect(error?.code == code)
        #expect(server.connectionCount == 0)
    }

    @Test("throws a TransportError, not a cancellation, for a cancelled body")
    func cancelledBody() async throws {
        let server = try LoopbackServer.start { _ in .status(200) }
        let (chunks, continuation) = AsyncStream.makeStream(of: Data.self)
        continuation.finish()
        let body = HTTP.Body.oneShot(chunks)
        body.cancel()

        let error = await #expect(throws: TransportError.self) {
            try await transport.send(.put(server.url("/"), body: body), call: Call())
        }

        #expect(error?.code == .other)
    }
}
