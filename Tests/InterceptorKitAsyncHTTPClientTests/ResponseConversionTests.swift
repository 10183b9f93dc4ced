#if AsyncHTTPClient
import Expectations
import AsyncHTTPClient
import InterceptorKit
import InterceptorKitAsyncHTTPClient
import InterceptorKitTesting
import TestRun
import Testing

@Suite(
    "AsyncHTTPClientTransport's conversion of responses",
    .tags(.sockets),
    .serializedAcrossSuites,
    .timeLimit(.minutes(10))
)
struct ResponseConversionTests {
    private let transport = AsyncHTTPClientTransport()

    @Test("keeps the connection after a response without a body", arguments: [204, 304])
    func bodiless(code: Int) async throws {
        let server = try LoopbackServer { request in
            request.method == .head ? .text("hello") : .status(HTTP.Status(code))
        }

        let head = try await transport.send(.head(server.url("/")), call: Call())
        let other = try await transport.send(.get(server.url("/")), call: Call())

        expectEqual(head.headers["Content-Length"], "5")
        expectTrue(head.body.isEmpty)
        expectTrue(other.body.isEmpty)
        expectEqual(server.connectionCount, 1)
    }

    @Test("throws when the HTTPClient passed to it followed a redirect")
    func followedRedirect() async throws {
        let server = try LoopbackServer { request in
            request.path == "/" ? .redirect(to: "/next") : .text("next")
        }

        let error = await #expect(throws: TransportError.self) {
            try await AsyncHTTPClientTransport(.shared, decompresses: true)
                .send(.get(server.url("/")), call: Call())
        }

        expectEqual(error?.code, .other)
        expectEqual(error?.message.contains("disallow"), true)
    }
}
#endif
