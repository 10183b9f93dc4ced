import Expectations
import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitSigning
import InterceptorKitTesting
import InterceptorKitTransfers
import Synchronization
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("Discardable")
struct DiscardTests {
    /// - Parameter count: How many bytes come before nothing more does.
    private static func stalled(_ runtime: Runtime, after count: Int = 0) -> HTTP.Body {
        let beginning = Lock<Data?>(count == 0 ? nil : Data(count: count))
        return .oneShot(
            AsyncThrowingStream<Data, any Error>(unfolding: {
                if let beginning = beginning.withLock({ $0.take() }) { return beginning }
                try await runtime.sleep(for: .seconds(3600))
                return nil
            })
        )
    }

    @Test("holds a resource open by default")
    func holdsOpen() {
        struct Connection: Discardable {
            func discard() async {}
        }

        expectTrue(Connection().holdsOpen)
    }

    /// How long a call takes whose only response has a body that never ends.
    private func elapsed(
        _ status: HTTP.Status,
        after count: Int = 0,
        @InterceptorBuilder<HTTP.Request> _ interceptors:
            @escaping @Sendable () -> [any Interceptor<HTTP.Request>]
    ) throws -> Duration {
        try Simulation.run { simulation in
            let transport = ScriptedTransport<HTTP.Request>(replies: [
                .status(status, body: Self.stalled(simulation.runtime, after: count))
            ])
            let client = try simulation.client(transport, interceptors)
            await #expect(throws: (any Error).self) { try await client.send(.get(orders)) }
            return simulation.now.offset
        }
    }

    @Test("waits at most 0.1 s for a discarded body before a retry")
    func stalledRetry() throws {
        let times = try Simulation.run { simulation in
            let transport = ScriptedTransport<HTTP.Request>(replies: [
                .status(503, body: Self.stalled(simulation.runtime)), .status(200),
            ])
            let client = try simulation.client(transport) { RetryInterceptor(policy: .steady) }
            _ = try await client.send(.get(orders))
            return transport.sent.map(\.instant.offset)
        }

        expectEqual(times, [.zero, .milliseconds(150)])
    }

    @Test("waits at most 0.1 s before a replay with a new token")
    func stalledReplay() throws {
        let elapsed = try Simulation.run { simulation in
            let transport = ScriptedTransport<HTTP.Request>(replies: [
                .status(401, body: Self.stalled(simulation.runtime)), .status(200),
            ])
            let source = RefreshableCredentialSource(initial: { .bearer("old") }) { _ in
                .bearer("new")
            }
            let client = try simulation.client(transport) {
                TokenInterceptor(source: source, origins: ["https://api.example.com"])
            }
            _ = try await client.send(.get(orders))
            return simulation.now.offset
        }

        expectEqual(elapsed, .milliseconds(100))
    }

    @Test("waits at most 0.1 s before an error, once its excerpt was read")
    func stalledError() throws {
        let elapsed = try elapsed(500, after: 100) { ErrorFilterInterceptor(bodyLimit: 100) }

        expectEqual(elapsed, .milliseconds(100))
    }

    @Test("waits at most 0.1 s before the refusal of a broken signature")
    func stalledSignature() throws {
        let elapsed = try elapsed(401) {
            SignInterceptor(
                RequestSigner(
                    MessageSignatureScheme(),
                    keys: FixedSigningKeys([SigningKey(id: "app-1", secret: "s3cret".utf8)])
                )
            )
            AnyInterceptor { chain in try await chain.proceed(changing: { $0.method = .put }) }
        }

        expectEqual(elapsed, .milliseconds(100))
    }

    @Test(
        "waits 0.1 s for an unwanted part, and at most 1.1 s for an error body",
        arguments: [(206, 0.1...0.1), (404, 1.0...1.1)]
    )
    func stalledRefusal(code: Int, seconds: ClosedRange<Double>) throws {
        let folder = try Folder()
        let (elapsed, said) = try Simulation.run { simulation in
            let transport = ScriptedTransport<HTTP.Request>(replies: [
                .status(HTTP.Status(code), body: Self.stalled(simulation.runtime, after: 10))
            ])
            let client = try simulation.client(transport) {}
            let error = await #expect(throws: HTTP.TransferError.self) {
                try await client.download(.get(orders), to: folder["file"])
            }
            return (simulation.now.offset, error?.response?.body.inMemory?.count)
        }

        expectTrue(seconds.contains(elapsed / .seconds(1)))
        expectEqual(said, (code == 404 ? 10 : nil))
    }

    @Test("waits at most 0.1 s before a download resumes", arguments: [503, 404])
    func stalledResumption(code: Int) throws {
        let folder = try Folder()
        let times = try Simulation.run { simulation in
            let content = Data("0123456789".utf8)
            let broken = FaultyStream(content, .lost(after: 4))
            let fields: HTTP.Headers = ["ETag": "\"1\"", "Content-Length": "10"]
            let transport = ScriptedTransport<HTTP.Request>(replies: [
                .status(200, headers: fields, body: .oneShot(length: 10, broken)),
                .status(HTTP.Status(code), body: Self.stalled(simulation.runtime)),
                .status(200, headers: fields, body: .bytes(content)),
            ])
            let client = try simulation.client(transport) {}
            var options = HTTP.DownloadOptions()
            options.backoff = Backoff(base: .seconds(1), cap: .seconds(1), jitter: .none)
            _ = try await client.download(.get(orders), to: folder["file"], options: options)
            return transport.sent.map(\.instant.offset)
        }

        expectEqual(times.count, 3)
        expectEqual(times[1], .seconds(1))
        expectEqual(times[2] - .seconds(times[2].components.seconds), .milliseconds(100))
    }

    @Test("discards a shared response at once when all its callers have left")
    func abandonedShare() throws {
        let (elapsed, open) = try Simulation.run { simulation in
            let transport = ScriptedTransport<HTTP.Request> { _, call in
                // As one that came when it was too late to end it.
                try? await call.runtime.sleep(for: .seconds(1))
                return HTTP.Response(200, body: Self.stalled(simulation.runtime))
            }
            let client = try simulation.client(transport) { CoalescingInterceptor() }
            await withTaskGroup { group in
                for _ in 0..<2 { group.addTask { _ = try? await client.send(.get(orders)) } }
                try? await simulation.runtime.sleep(for: .milliseconds(10))
                group.cancelAll()
            }
            return (simulation.now.offset, client.openBodies)
        }

        expectEqual(elapsed, .milliseconds(10))
        expectEqual(open, 0)
    }

    @Test("waits at most 0.1 s when an injected fault drops a response")
    func stalledFault() throws {
        let elapsed = try Simulation.run { simulation in
            let transport = ScriptedTransport<HTTP.Request>(replies: [
                .status(200, body: Self.stalled(simulation.runtime))
            ])
            let client = try HTTP.Client(transport: transport, runtime: simulation.runtime) {
                FaultInjectionInterceptor([.malformed(rate: 1)])
            }
            await #expect(throws: TransportError.self) { try await client.send(.get(orders)) }
            return simulation.now.offset
        }

        expectEqual(elapsed, .milliseconds(100))
    }

    @Test("doesn't delay a call that is cancelled meanwhile")
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

        expectEqual(elapsed, .seconds(1))
    }

    @Test("reads at most 4 KiB, and nothing of a body that is read or in memory")
    func bounded() async throws {
        let stream = CountingStream(chunks: 100)
        let response = HTTP.Response(body: .oneShot(stream))
        expectTrue(response.holdsOpen)

        await response.discard(on: .live)

        expectEqual(stream.read, 4)
        expectEqual(stream.cancels, 1)
        expectTrue(!response.holdsOpen)
        expectTrue(!HTTP.Response(body: "text").holdsOpen)
    }
}
