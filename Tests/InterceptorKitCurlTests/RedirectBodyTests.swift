import Expectations
import InterceptorKit
import InterceptorKitCurl
import InterceptorKitTesting
import TestRun
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite(
    "CurlTransport with abandoned responses",
    .tags(.sockets),
    .serializedAcrossSuites,
    .timeLimit(.minutes(10))
)
struct RedirectBodyTests {
    @Test(
        "follows a redirect whose body never ends, and ends its transfer",
        arguments: [0, 1 << 16]
    )
    func redirectBody(sent: Int) async throws {
        let server = try LoopbackServer { request in
            guard request.path == "/1" else { return .text("second") }
            let body = Data(repeating: 0x61, count: 1 << 20)
            return .status(302, headers: ["Location": "/2"], body: body).stalledInBody(after: sent)
        }
        defer { server.stop() }
        let pipeline = try Pipeline(transport: CurlTransport()) { RedirectInterceptor() }

        let response = try await pipeline.run(.get(server.url("/1")))

        try await expectEqual(response.text(), "second")
        try await server.waitForOpenConnections(1)
    }
}
