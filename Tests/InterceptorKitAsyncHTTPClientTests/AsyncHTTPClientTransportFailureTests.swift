#if AsyncHTTPClient
import AsyncHTTPClient
import Foundation
import InterceptorKit
import InterceptorKitAsyncHTTPClient
import InterceptorKitTesting
import TestRun
import Testing

@Suite(
    "AsyncHTTPClientTransport on a failure",
    .tags(.sockets),
    .serializedAcrossSuites,
    .timeLimit(.minutes(1))
)
struct AsyncHTTPClientTransportFailureTests {
    private let transport = AsyncHTTPClientTransport()

    static let broken: [(LoopbackServer.Reply, TransportError.Code)] = [
        (.reset, .connectionLost), (.closedBeforeReply, .connectionLost),
        (.raw("garbage\r\n\r\n"), .protocolViolation),
        (.text("0123456789").truncated(after: 4), .connectionLost),
        (.text("0123456789").resetInBody(after: 4), .connectionLost),
        (.text("0123456789").chunked(size: 10).truncated(after: 4), .connectionLost),
        (.raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"), .protocolViolation),
    ]

    @Test("names the failure and the peer, but not the path", arguments: broken.indices)
    func brokenAnswer(index: Int) async throws {
        let (reply, code) = AsyncHTTPClientTransportFailureTests.broken[index]
        let server = try LoopbackServer.start { _ in reply }

        let error = await #expect(throws: TransportError.self) {
            let request = HTTP.Request.get(server.url("/secret?token=s3"))
            _ = try await transport.send(request, call: Call()).body.collect()
        }

        #expect(error?.code == code)
        #expect(error?.isCertainlyUnsent == false)
        #expect(error?.cause != nil)
        #expect(error?.description.contains("127.0.0.1:\(server.port)") == true)
        #expect(error?.description.contains("secret") == false)
        #expect(error?.description.contains("s3") == false)
    }

    @Test(
        "refuses a status below 100 instead of ending the process",
        arguments: ["000", "001", "099"],
        ["", "Content-Length: 3\r\n\r\nabc", "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"]
    )
    func statusBelow100(status: String, rest: String) async throws {
        let server = try LoopbackServer.start { request in
            request.path == "/" ? .raw("HTTP/1.1 \(status) X\r\n\(rest)\r\n") : .text("fine")
        }

        for request: HTTP.Request in [.get(server.url("/")), .post(server.url("/"), body: "x")] {
            let error = await #expect(throws: TransportError.self) {
                try await transport.send(request, call: Call())
            }

            #expect(error?.code == .protocolViolation)
        }
        #expect(try await transport.send(.get(server.url("/next")), call: Call()).text() == "fine")
    }

    @Test("reports a refused connection as certainly unsent")
    func refused() async throws {
        let server = try LoopbackServer.start { _ in .status(200) }
        let url = server.url("/")
        server.stop()

        let error = await #expect(throws: TransportError.self) {
            try await transport.send(.post(url, body: "x"), call: Call())
        }

        #expect(error?.code == .cannotConnect)
        #expect(error?.isCertainlyUnsent == true)
    }

    @Test("reports a failed handshake with a server without TLS as unsent")
    func noTLS() async throws {
        let server = try LoopbackServer.start { _ in .status(200) }

        let error = await #expect(throws: TransportError.self) {
            try await transport.send(
                .post("https://127.0.0.1:\(raw: "\(server.port)")/", body: "x"),
                call: Call()
            )
        }

        #expect(error?.code == .tls)
        #expect(error?.isCertainlyUnsent == true)
    }

    @Test("refuses a URL that the engine would encode again", arguments: ["/a[0]%2F", "/?a[]=1"])
    func refusesBrackets(target: String) async throws {
        let server = try LoopbackServer.start { _ in .status(200) }

        let error = await #expect(throws: HTTP.RequestError.self) {
            try await transport.send(.get(server.url(target)), call: Call())
        }

        #expect(error?.code == .invalidURL)
        #expect(server.requests.isEmpty)
    }

    static let impossible: [(HTTP.Request, HTTP.RequestError.Code)] = [
        (.get("", headers: ["X-A": "1\r\nX-Injected: 1"]), .invalidField),
        (.get("", headers: ["X-A": "1\u{1}"]), .invalidField),
        (.get("", headers: ["Content-Length": "1"]), .invalidField),
        (HTTP.Request("GET / HTTP/1.1\r\nX-Injected: 1\r\n", ""), .invalidMethod),
        (HTTP.Request(.trace, "", body: "x"), .invalidBody),
    ]

    @Test(
        "refuses a request that cannot be sent unchanged, and sends nothing",
        arguments: impossible.indices
    )
    func refusesImpossible(index: Int) async throws {
        let server = try LoopbackServer.start { _ in .status(200) }
        var (request, code) = AsyncHTTPClientTransportFailureTests.impossible[index]
        request.url = server.url("/")

        let error = await #expect(throws: HTTP.RequestError.self) {
            try await transport.send(request, call: Call())
        }

        #expect(error?.code == code)
        #expect(server.requests.isEmpty)
    }

    @Test("throws a body stream's own error unchanged")
    func failingBody() async throws {
        struct Broken: Error {}
        let server = try LoopbackServer.start { _ in .status(200) }
        let failing = AsyncThrowingStream<Data, any Error> { $0.finish(throwing: Broken()) }

        await #expect(throws: Broken.self) {
            try await transport.send(
                .post(server.url("/"), body: .oneShot(failing)),
                call: Call()
            )
        }

        #expect(server.requests.isEmpty)
    }

    @Test("throws a TransportError, not a cancellation, for a cancelled body")
    func cancelledBody() async throws {
        let server = try LoopbackServer.start { _ in .status(200) }
        let body = HTTP.Body.oneShot(AsyncStream<Data> { $0.finish() })
        body.cancel()

        await #expect(throws: TransportError.self) {
            try await transport.send(.put(server.url("/"), body: body), call: Call())
        }
    }

    @Test("completes no request whose body is shorter or longer than stated", arguments: [2, 4])
    func mismatch(length: Int) async throws {
        let server = try LoopbackServer.start { _ in .status(200) }
        let three = AsyncStream<Data> { source in
            source.yield(Data("abc".utf8))
            source.finish()
        }

        let error = await #expect(throws: TransportError.self) {
            let body = HTTP.Body.oneShot(length: length, three)
            _ = try await transport.send(.put(server.url("/"), body: body), call: Call())
        }

        #expect(error?.code == .other)
        #expect(server.requests.isEmpty)
    }

    @Test("throws when the HTTPClient passed to it followed a redirect")
    func followedRedirect() async throws {
        let server = try LoopbackServer.start { request in
            request.path == "/" ? .redirect(to: "/next") : .text("next")
        }

        let error = await #expect(throws: TransportError.self) {
            try await AsyncHTTPClientTransport(.shared, decompresses: true)
                .send(.get(server.url("/")), call: Call())
        }

        #expect(error?.code == .other)
        #expect(error?.message.contains("disallow") == true)
    }
}
#endif
