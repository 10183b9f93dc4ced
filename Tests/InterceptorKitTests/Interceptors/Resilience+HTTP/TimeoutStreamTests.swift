import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("TimeoutStream")
struct TimeoutStreamTests {
    private static func transport(_ stream: PausingStream) -> ScriptedTransport<HTTP.Request> {
        ScriptedTransport(replies: [.status(200, body: .oneShot(stream))])
    }

    @Test("treats an empty chunk as no byte")
    func emptyChunks() async throws {
        try await onEverySeed(0..<50) { simulation in
            let stream = PausingStream(0, every: .seconds(1), times: 3600, simulation.runtime)
            let client = try simulation.client(Self.transport(stream)) { BodyTimeoutInterceptor() }
            let response = try await client.send(.get(orders))

            let error = await #expect(throws: TimeoutError.self) { try await response.text() }

            try requireEqual(error?.code, .bodyIdle)
            try requireEqual(simulation.now.offset, .seconds(20))
            try require(!stream.cancels.entries.isEmpty)
        }
    }

    @Test("works with a total, which counts all waits for a body")
    func total() async throws {
        try await onEverySeed(0..<50) { simulation in
            let stream = PausingStream(
                10_000,
                every: .seconds(1),
                times: 100,
                simulation.runtime
            )
            let client = try simulation.client(Self.transport(stream)) {
                BodyTimeoutInterceptor(total: .seconds(90))
            }
            let response = try await client.send(.get(orders)) { call in
                call.totalBodyTimeout = .milliseconds(10_500)
            }

            let error = await #expect(throws: TimeoutError.self) {
                for try await _ in response.body {
                    try await simulation.runtime.sleep(for: .seconds(3))
                }
            }

            try requireEqual(error?.code, .bodyTotal)
            try requireEqual(error?.limit, .milliseconds(10_500))
            try requireEqual(simulation.now.offset, .milliseconds(40_500))
        }
    }
}
