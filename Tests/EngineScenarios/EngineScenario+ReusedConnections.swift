import Expectations
import InterceptorKit
import InterceptorKitTesting
import Testing

extension EngineScenario {
    static let reusedConnections = [
        arrival("never calls a request unsent that arrived on a kept connection", .text("x")),
        arrival("never calls one without a body unsent that arrived on a kept connection", .empty),
        EngineScenario("calls a request unsent that cannot have arrived, also after one that did") {
            makeTransport in
            let transport = try makeTransport()
            let server = try LoopbackServer { _ in .text("hello") }
            let url = server.url("/")
            _ = try await transport.send(.post(url, body: "x"), call: Call()).text()
            await transport.idle()
            server.stop()

            let error = await #expect(throws: TransportError.self) {
                try await transport.send(.post(url, body: "x"), call: Call())
            }

            expectEqual(error?.code, .cannotConnect)
            expectEqual(error?.isUnsent, true)
        },
    ]

    // Engines send it again by themselves on a new connection when a kept one breaks before any answer,
    // so that "connection refused" may be said of a request that has arrived.
    private static func arrival(_ name: String, _ body: HTTP.Body) -> EngineScenario {
        EngineScenario(name) { makeTransport in
            let transport = try makeTransport()
            let server = try LoopbackServer { $0.number == 1 ? .text("hello") : .stalled }
            _ = try await transport.send(.post(server.url("/"), body: body), call: Call()).text()
            await transport.idle()
            let task = Task {
                try await transport.send(.post(server.url("/"), body: body), call: Call())
            }
            try await server.waitForRequests(2)

            server.stop()

            let error = await #expect(throws: TransportError.self) { try await task.value }
            expectEqual(server.requests.count, 2)
            expectEqual(error?.isUnsent, false)
            expectEqual(error?.code, .connectionLost)
        }
    }
}
