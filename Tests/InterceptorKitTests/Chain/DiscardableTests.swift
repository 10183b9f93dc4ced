import InterceptorKit
import InterceptorKitTesting
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("Discardable")
struct DiscardTests {
    private static func stalled(_ runtime: Runtime) -> HTTP.Body {
        .oneShot(
            AsyncThrowingStream<Data, any Error>(unfolding: {
                try await runtime.sleep(for: .seconds(3600))
                return nil
            })
        )
    }

    @Test("lets a retry wait a tenth of a second at most for the end of a response it discards")
    func stalledRetry() throws {
        let times = try Simulation.run { simulation in
            let transport = ScriptedTransport<HTTP.Request>(replies: [
                .status(503, body: Self.stalled(simulation.runtime)), .status(200),
            ])
            let client = try simulation.client(transport) { RetryInterceptor(policy: .steady) }
            _ = try await client.send(.get(orders))
            return transport.sent.map(\.instant.offset)
        }

        #expect(times == [.zero, .milliseconds(150)])
    }

    @Test("lets a replay with a new token wait as short")
    func stalledReplay() throws {
        let elapsed = try Simulation.run { simulation in
            let transport = ScriptedTransport<HTTP.Request>(replies: [
                .status(401, body: Self.stalled(simulation.runtime)), .status(200),
            ])
            let source = RefreshableCredential(initial: { .bearer("old") }) { _ in .bearer("new") }
            let client = try simulation.client(transport) {
                TokenInterceptor(source: source, origins: ["https://api.example.com"])
            }
            _ = try await client.send(.get(orders))
            return simulation.now.offset
        }

        #expect(elapsed == .milliseconds(100))
    }

    @Test("does not hold up a call that is cancelled meanwhile")
    func cancelled() throws {
        let elapsed = try Simulation.run { simulation in
            let runtime = simulation.runtime
            let response = HTTP.Response(body: Self.stalled(runtime))
            await withTaskGroup { group in
                group.addTask { await response.discard(within: .seconds(60), on: runtime) }
                try? await runtime.sleep(for: .seconds(1))
                group.cancelAll()
            }
            return simulation.now.offset
        }

        #expect(elapsed == .seconds(1))
    }

    @Test("reads no more than 4 KiB, and nothing of what is read already or in memory")
    func bounded() async throws {
        let stream = CountingStream(chunks: 100)
        let response = HTTP.Response(body: .oneShot(stream))
        #expect(response.holdsOpen)

        await response.discard(on: .live)

        #expect(stream.read == 4)
        #expect(stream.cancels == 1)
        #expect(!response.holdsOpen)
        #expect(!HTTP.Response(body: "text").holdsOpen)
    }
}
