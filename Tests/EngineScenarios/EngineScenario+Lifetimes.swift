import Expectations
import Foundation
import InterceptorKit
import InterceptorKitTesting
import Testing

extension EngineScenario {
    static let lifetimes = [
        EngineScenario("has nothing under way after a cancellation in flight") { makeTransport in
            let transport = try makeTransport()
            let server = try LoopbackServer { _ in .stalled }
            let task = Task { try await transport.send(.get(server.url("/")), call: Call()) }
            try await server.waitForRequests(1)

            task.cancel()

            await #expect(throws: CancellationError.self) { try await task.value }
            try await server.waitForOpenConnections(0)
            await transport.idle()
            expectEqual(transport.liveCount, 0)
        },
        EngineScenario("has nothing under way after a body was dropped unread") { makeTransport in
            let transport = try makeTransport()
            let server = try LoopbackServer { _ in
                .text("0123456789").stalledInBody(after: 4)
            }

            let status = try await transport.send(.get(server.url("/")), call: Call()).status

            expectEqual(status, 200)
            try await server.waitForOpenConnections(0)
            await transport.idle()
            expectEqual(transport.liveCount, 0)
        },
        EngineScenario("uses one connection for requests one after the other") { makeTransport in
            let transport = try makeTransport()
            let server = try LoopbackServer { _ in .text("hello") }

            for _ in 0..<3 {
                let response = try await transport.send(.get(server.url("/")), call: Call())
                _ = try await response.body.collect()
                await transport.idle()
            }

            expectEqual(server.connectionCount, 1)
        },
        EngineScenario("ends what is under way when it is closed, and refuses what comes") {
            makeTransport in
            let transport = try makeTransport()
            let server = try LoopbackServer { request in
                request.path == "/body" ? .text("0123456789").stalledInBody(after: 4) : .stalled
            }
            let response = try await transport.send(.get(server.url("/body")), call: Call())
            let task = Task { try await transport.send(.get(server.url("/head")), call: Call()) }
            try await server.waitForRequests(2)

            transport.close()
            transport.close()

            let inBody = await #expect(throws: TransportError.self) {
                try await response.body.collect()
            }
            let inHead = await #expect(throws: TransportError.self) { try await task.value }
            let after = await #expect(throws: TransportError.self) {
                try await transport.send(.get(server.url("/")), call: Call())
            }
            expectEqual([inBody, inHead, after].map(\.?.code), [.closed, .closed, .closed])
            expectEqual(after?.isUnsent, true)
            try await server.waitForOpenConnections(0)
            expectEqual(transport.liveCount, 0)
        },
        EngineScenario(
            "sends a second time although the first body was not read, and ends its transfer"
        ) {
            makeTransport in
            let server = try LoopbackServer { request in
                guard request.number == 1 else { return .text("second") }
                return .status(200, body: Data(repeating: 0x61, count: 1 << 20))
                    .stalledInBody(after: 1 << 16)
            }
            let pipeline = try Pipeline(transport: makeTransport()) {
                AnyInterceptor<HTTP.Request>("twice") { chain in
                    _ = try await chain.proceed()
                    return try await chain.proceed()
                }
            }

            let response = try await pipeline.run(.get(server.url("/")))

            try await expectEqual(response.text(), "second")
            // The first connection, whose reply never ends, is closed; the second may be kept.
            try await server.waitForOpenConnections(1)
            expectEqual(server.connectionCount, 2)
        },
        EngineScenario("lets a body outlive the transport") { makeTransport in
            let server = try LoopbackServer { _ in
                .text("hello").bodyDelayed(by: .milliseconds(20))
            }
            var transport: (any WatchedTransport)? = try makeTransport()

            let response = try await transport?.send(.get(server.url("/")), call: Call())
            transport = nil
            let text = try await response?.text()

            expectEqual(text, "hello")
            try await server.waitForOpenConnections(0)
        },
    ]
}
