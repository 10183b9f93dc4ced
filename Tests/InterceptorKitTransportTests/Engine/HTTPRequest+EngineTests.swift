import Expectations
import InterceptorKit
import InterceptorKitTesting
import InterceptorKitTransport
import TestRun
import Testing

@Suite(
    "A request completed for URLSession",
    .tags(.sockets),
    .serializedAcrossSuites,
    .timeLimit(.minutes(10))
)
struct HTTPRequestEngineTests {
    private let transport = URLSessionTransport()

    @Test("gets only framing fields beyond those that its response reports")
    func truthfulRequest() async throws {
        let server = try LoopbackServer { _ in .status(200) }

        let response = try await transport.send(.post(server.url("/"), body: "x"), call: Call())

        let arrived = try unwrap(server.requests.first).headers
        let said = try unwrap(response.request).headers
        expectEqual(said["Content-Type"], "text/plain; charset=utf-8")
        for field in said { expectEqual(arrived[field.name], field.value) }
        let added = arrived.filter { !said.contains($0.name) }.map(\.name).sorted()
        expectEqual(added, ["Accept-Encoding", "Connection", "Content-Length", "Host"])
    }
}
