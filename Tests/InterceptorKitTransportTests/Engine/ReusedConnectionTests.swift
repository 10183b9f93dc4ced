import Foundation
import InterceptorKit
import InterceptorKitTesting
import Testing

@testable import InterceptorKitTransport

@Suite("A connection used again", .timeLimit(.minutes(1)))
struct ReusedConnectionTests {
    // The engine sends it again by itself on a new connection when a kept one breaks before any answer, so
    // that "connection refused" may be said of a request that has arrived.
    @Test(
        "a request that arrived on it is never called unsent",
        arguments: [HTTP.Body.text("x"), .empty]
    )
    func arrived(body: HTTP.Body) async throws {
        let server = try LoopbackServer.start { $0.number == 1 ? .text("hello") : .stalled }
        let transport = URLSessionTransport()
        _ = try await transport.send(.post(server.url("/"), body: body), call: Call()).text()
        await transport.registry.idle()

        let task = Task {
            try await transport.send(.post(server.url("/"), body: body), call: Call())
        }
        try await server.waitForRequests(2)

        server.stop()

        let error = await #expect(throws: TransportError.self) { try await task.value }
        #expect(server.requests.count == 2)
        #expect(error?.isCertainlyUnsent == false)
    }

    @Test("a request that cannot have arrived is called unsent, also after an earlier one did")
    func unsent() async throws {
        let server = try LoopbackServer.start { _ in .text("hello") }
        let transport = URLSessionTransport()
        let url = server.url("/")
        _ = try await transport.send(.post(url, body: "x"), call: Call()).text()
        await transport.registry.idle()
        server.stop()

        let error = await #expect(throws: TransportError.self) {
            try await transport.send(.post(url, body: "x"), call: Call())
        }

        #expect(error?.code == .cannotConnect)
        #expect(error?.isCertainlyUnsent == true)
    }

    // The engine begins again without the part of the body that it has sent; the host would wait for it
    // until the idle timeout.
    @Test(
        "a body that was cut off with it is an error at once, and never sent as less",
        arguments: [1, 500_000]
    )
    func cutOff(size: Int) async throws {
        let server = try LoopbackServer.start {
            $0.number == 2 ? .closedBeforeReply : .text("hello")
        }
        let transport = URLSessionTransport()
        _ = try await transport.send(.get(server.url("/")), call: Call()).text()
        await transport.registry.idle()

        let error = await #expect(throws: TransportError.self) {
            try await transport.send(
                .post(server.url("/"), body: .bytes(Data(count: size))),
                call: Call().deadline(within: .seconds(30))
            )
        }
        await transport.registry.idle()

        #expect(error?.code == .connectionLost)
        #expect(error?.isCertainlyUnsent == false)
        #expect(server.requests.allSatisfy { $0.method == .get || $0.body.count == size })
    }
}
