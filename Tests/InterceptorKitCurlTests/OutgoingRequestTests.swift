import Expectations
import InterceptorKit
import InterceptorKitCurl
import InterceptorKitTesting
import TestRun
import Testing

@Suite("OutgoingRequest", .tags(.sockets), .serializedAcrossSuites, .timeLimit(.minutes(1)))
struct OutgoingRequestTests {
    private let transport: CurlTransport

    init() throws { transport = try CurlTransport() }

    @Test("sends Content-Length for a known length, and chunks otherwise")
    func framing() async throws {
        let server = try LoopbackServer { _ in .status(200) }

        for length in [nil, 300_000] {
            _ = try await transport.send(
                .put(server.url("/"), body: counted(length: length, chunks: 30, of: 10_000)),
                call: Call()
            )
        }

        expectEqual(server.requests.map(\.body.count), [300_000, 300_000])
        expectEqual(server.requests.map { $0.headers["Transfer-Encoding"] }, ["chunked", nil])
        expectEqual(server.requests.map { $0.headers["Content-Length"] }, [nil, "300000"])
        expectEqual(Set(server.requests.map(\.body)).count, 1)
    }

    @Test(
        "sends a request target exactly as written",
        arguments: [
            "/api/a/../z", "/./a/.", "/a?", "/a/?", "//a//b//", "/a?b=/../c", "/%2e%2e/a", "/a??",
            "/a;b=c/..;/d", "/*",
        ]
    )
    func targets(target: String) async throws {
        let server = try LoopbackServer { _ in .text("fine") }

        for request in [HTTP.Request.get(server.url(target)), .post(server.url(target), body: "x")]
        {
            for _ in 0..<2 { _ = try await transport.send(request, call: Call()).text() }
        }

        expectEqual(server.requests.map(\.target), Array(repeating: target, count: 4))
        expectEqual(server.requests.map(\.connection), [1, 1, 1, 1])
    }
}
