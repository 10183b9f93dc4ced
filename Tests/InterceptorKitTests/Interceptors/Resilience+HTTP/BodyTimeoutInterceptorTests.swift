import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("BodyTimeoutInterceptor")
struct BodyTimeoutInterceptorTests {
    private static func response(
        _ pauses: [Duration],
        _ simulation: Simulation
    ) async throws -> (HTTP.Response, PausingStream) {
        let stream = PausingStream(pauses, simulation.runtime)
        let transport = ScriptedTransport<HTTP.Request>(replies: [
            .status(200, body: .oneShot(length: pauses.count, stream))
        ])
        let client = try simulation.client(transport) { BodyTimeoutInterceptor(minimumRate: nil) }
        return (try await client.send(.get(orders)), stream)
    }

    @Test("a body without a byte for 20 s is given up and released")
    func stalled() async throws {
        try await onEverySeed { simulation in
            let (response, stream) = try await Self.response(
                [.seconds(1), .seconds(600)],
                simulation
            )

            let error = await #expect(throws: TimeoutError.self) { try await response.text() }

            try requireEqual(error?.code, .bodyIdle)
            try requireEqual(error?.classification.kind, .permanent)
            try requireEqual(simulation.now.offset, .seconds(21))
            try require(!stream.cancels.entries.isEmpty)
        }
    }

    @Test("a slow body that keeps arriving is read to its end, with trailers")
    func slow() async throws {
        try await onEverySeed(0..<200) { simulation in
            let pauses = Array(repeating: Duration.seconds(19), count: 10)
            let (response, _) = try await Self.response(pauses, simulation)

            let text = try await response.text()

            try requireEqual(text, "xxxxxxxxxx")
            try requireEqual(simulation.now.offset, .seconds(190))
            try requireEqual(response.trailers, ["X-Sum": "1"])
        }
    }

    @Test("only the time that the reader waits is counted")
    func slowReader() async throws {
        try await onEverySeed(0..<200) { simulation in
            let (response, _) = try await Self.response(
                [.seconds(1), .seconds(15), .seconds(15)],
                simulation
            )

            var bytes = 0
            for try await chunk in response.body {
                bytes += chunk.count
                try await simulation.runtime.sleep(for: .seconds(50))
            }

            try requireEqual(bytes, 3)
        }
    }

    @Test("a reader's own cancellation stays a cancellation")
    func cancelled() async throws {
        try await onEverySeed { simulation in
            let (response, _) = try await Self.response([.seconds(600)], simulation)

            let error = await withTaskGroup(of: (any Error)?.self) { group in
                group.addTask {
                    do {
                        _ = try await response.text()
                        return nil
                    } catch {
                        return error
                    }
                }
                try? await simulation.runtime.sleep(for: .seconds(3))
                group.cancelAll()
                return await group.next() ?? nil
            }

            try require(error is CancellationError)
            try requireEqual(simulation.now.offset, .seconds(3))
        }
    }

    @Test("an unread body is released at once when it is cancelled")
    func unread() async throws {
        try await onEverySeed(0..<50) { simulation in
            let (response, stream) = try await Self.response([.seconds(1)], simulation)
            response.body.cancel()

            try requireEqual(stream.cancels.entries, [1])
            try requireEqual(simulation.now.offset, .zero)
        }
    }
}
