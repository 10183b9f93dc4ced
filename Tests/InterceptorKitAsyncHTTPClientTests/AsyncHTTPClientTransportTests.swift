#if AsyncHTTPClient
import Expectations
import InterceptorKit
import InterceptorKitAsyncHTTPClient
import InterceptorKitTesting
import TestRun
import Testing

@Suite(
    "AsyncHTTPClientTransport",
    .tags(.sockets),
    .serializedAcrossSuites,
    .timeLimit(.minutes(10))
)
struct AsyncHTTPClientTransportTests {
    private let transport = AsyncHTTPClientTransport()

    @Test("carries request and response with order, case and repeats of fields")
    func exchange() async throws {
        let fields: HTTP.Headers = [
            "X-lower-CASE": "1", "Set-Cookie": "a=1", "x-other": "2", "Set-Cookie": "b=2",
        ]
        let server = try LoopbackServer { _ in .status(203, headers: fields, body: "hello") }

        let response = try await transport.send(
            .get(server.url("/path?q=%20"), headers: ["b-B": "1", "a": "2", "b-b": "3"]),
            call: Call()
        )
        let text = try await response.text()

        expectEqual(response.status, 203)
        expectTrue(response.headers.map(\.name).starts(with: fields.map(\.name)))
        expectEqual(response.headers.values("Set-Cookie"), ["a=1", "b=2"])
        expectEqual(response.body.length, 5)
        expectEqual(text, "hello")
        let request = try unwrap(server.requests.first)
        expectEqual(request.target, "/path?q=%20")
        expectEqual(request.headers.prefix(3).map(\.name), ["b-B", "a", "b-b"])
        expectEqual(request.headers.prefix(3).map(\.value), ["1", "2", "3"])
    }

    @Test("adds only the framing fields that its documentation lists")
    func adds() async throws {
        let server = try LoopbackServer { _ in .status(200) }

        let response = try await transport.send(.post(server.url("/"), body: "x"), call: Call())
        let streamed = HTTP.Body.oneShot(chunks(2))
        _ = try await transport.send(.post(server.url("/"), body: streamed), call: Call())
        _ = try await transport.send(.get(server.url("/")), call: Call())

        expectEqual(response.request?.headers, [:])
        expectEqual(
            server.requests.map { $0.headers.map { $0.name.lowercased() }.sorted() },
            [["content-length", "host"], ["host", "transfer-encoding"], ["host"]]
        )
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

    @Test("keeps the connection after an upload of a known length")
    func uploads() async throws {
        let server = try LoopbackServer { _ in .text("fine") }

        for _ in 0..<20 {
            let body = HTTP.Body.oneShot(length: 2_000, chunks(2))
            let response = try await transport.send(.put(server.url("/"), body: body), call: Call())
            _ = try await response.text()
        }

        // The engine takes a connection back a moment after the response, so one more is no failure.
        expectTrue(server.connectionCount <= 5)
    }

    @Test("works as a client's transport beneath a RetryInterceptor")
    func client() async throws {
        let server = try LoopbackServer { request in
            request.number == 1 ? .status(503, headers: ["Retry-After": "0"]) : .text("fine")
        }
        let client = try HTTP.Client(transport: transport) {
            RetryInterceptor(policy: .standard)
        }

        let text = try await client.send(.get(server.url("/"))).text()

        expectEqual(text, "fine")
    }
}
#endif
