import Expectations
import Foundation
import InterceptorKit
import InterceptorKitTesting
import TestRun
import Testing

@testable import InterceptorKitTransport

@Suite("A reused connection", .tags(.sockets), .serializedAcrossSuites, .timeLimit(.minutes(10)))
struct ReusedConnectionTests {
    static let bodies: [@Sendable (TemporaryFolder) throws -> HTTP.Body] = [
        { _ in .empty },
        { _ in "x" },
        { try .file($0.file("empty", Data())) },
        { try .file($0.file("whole", Data(count: 5_000))) },
        { _ in .oneShot(AsyncStream<Data> { $0.finish() }) },
        { _ in
            .oneShot(
                AsyncStream<Data> {
                    $0.yield(Data(count: 5_000))
                    $0.finish()
                }
            )
        },
    ]

    @Test(
        "executes an unsafe request once when it breaks before the response",
        arguments: [HTTP.Method.post, .patch, .put, .delete, "MKCOL"],
        bodies.indices
    )
    func executedOnce(method: HTTP.Method, index: Int) async throws {
        let folder = try TemporaryFolder()
        for ending in [LoopbackServer.Reply.closedBeforeReply, .reset] {
            let server = try LoopbackServer { $0.path == "/" ? .text("hello") : ending }
            let transport = URLSessionTransport()
            let body = try ReusedConnectionTests.bodies[index](folder)
            _ = try await transport.send(.get(server.url("/")), call: Call()).text()
            await transport.registry.idle()

            let error = await #expect(throws: TransportError.self) {
                try await transport.send(
                    HTTP.Request(method, server.url("/once"), body: body),
                    call: Call()
                )
            }
            _ = try await transport.send(.get(server.url("/")), call: Call()).text()

            expectEqual(error?.code, .connectionLost)
            expectEqual(error?.isUnsent, false)
            expectEqual(server.requests.filter { $0.path == "/once" }.count, 1)
        }
    }

    @Test("is never used for a call that is marked as not idempotent")
    func notIdempotent() async throws {
        let server = try LoopbackServer { $0.path == "/" ? .text("hello") : .reset }
        let transport = URLSessionTransport()
        var call = Call()
        call.isIdempotent = false
        for _ in 0..<3 { _ = try await transport.send(.get(server.url("/")), call: call).text() }
        try await server.waitForOpenConnections(0)

        let error = await #expect(throws: TransportError.self) {
            try await transport.send(.get(server.url("/once")), call: call)
        }

        expectEqual(error?.code, .connectionLost)
        expectEqual(error?.isUnsent, false)
        expectEqual(server.requests.count, 4)
        expectEqual(server.connectionCount, 4)
    }

    // The engine begins again without the part of the body that it has sent; the host would wait for it
    // until the idle timeout.
    @Test(
        "fails a request that it cuts off, and never sends a shorter body",
        arguments: [1, 500_000]
    )
    func cutOff(size: Int) async throws {
        let server = try LoopbackServer {
            $0.number == 2 ? .closedBeforeReply : .text("hello")
        }
        let transport = URLSessionTransport()
        _ = try await transport.send(.get(server.url("/")), call: Call()).text()
        await transport.registry.idle()

        let error = await #expect(throws: TransportError.self) {
            try await transport.send(
                .post(server.url("/"), body: .bytes(Data(count: size))),
                call: Call().withDeadline(within: .seconds(30))
            )
        }
        await transport.registry.idle()

        expectEqual(error?.code, .connectionLost)
        expectEqual(error?.isUnsent, false)
        expectTrue(server.requests.allSatisfy { $0.method == .get || $0.body.count == size })
    }
}
