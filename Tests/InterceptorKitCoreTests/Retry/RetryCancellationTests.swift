import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("RetryInterceptor and cancellation")
struct RetryCancellationTests {
    @Test("ends a wait at once as cancelled, and sends no more")
    func cancelledInBackoff() async throws {
        try await onEverySeed { simulation in
            let transport = ScriptedTransport<HTTP.Request> { _, _ in HTTP.Response(503) }
            var policy = RetryPolicy<HTTP.Request>.steady
            policy.backoff.base = .seconds(10)
            let client = try simulation.client(transport) { [policy] in
                RetryInterceptor(policy: policy)
            }

            let (_, outcome) = await simulation.send(
                to: client,
                over: transport,
                cancelledAfter: .seconds(1)
            )

            try #require(throws: CancellationError.self) { try outcome?.get() }
            try requireEqual(transport.sent.count, 1)
            try requireEqual(simulation.now.offset, .seconds(1))
        }
    }

    @Test("returns a response that arrives although the caller was cancelled")
    func responseBeatsCancellation() async throws {
        let (status, sends) = try await onEverySeed { simulation in
            let transport = ScriptedTransport<HTTP.Request> { _, _ in
                unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
                return HTTP.Response(503)
            }
            let pipeline = try Pipeline(transport: transport, runtime: simulation.runtime) {
                RetryInterceptor(policy: .steady)
            }
            let status = try await withThrowingTaskGroup(of: HTTP.Status.self) { group in
                group.addTask { try await pipeline.run(.get(orders)).status }
                return try await group.next()
            }
            return (status, transport.sent.count)
        }

        expectEqual(status, 503)
        expectEqual(sends, 1)
    }

    @Test("ends a call as cancelled, exactly once, with an always-retry policy")
    func alwaysRetry() async throws {
        try await onEverySeed { simulation in
            let transport = ScriptedTransport<HTTP.Request> { _, call in
                try await call.runtime.sleep(for: .milliseconds(10))
                throw Problem()
            }
            var policy = RetryPolicy<HTTP.Request>(
                classifier: OutcomeClassifier { _ in .transient("always") }
            )
            policy.maxAttempts = .max
            policy.allowsManyAttempts = true
            policy.budget = nil
            policy.backoff = Backoff(base: .milliseconds(1), jitter: .none)
            let client = try simulation.client(transport) { [policy] in
                RetryInterceptor(policy: policy)
            }

            let ended = await withTaskGroup(of: Bool.self) { group in
                group.addTask {
                    do {
                        _ = try await client.send(.get(orders))
                        return false
                    } catch {
                        return error is CancellationError
                    }
                }
                try? await simulation.runtime.sleep(for: .milliseconds(55))
                group.cancelAll()
                return await group.next()
            }
            let sends = transport.sent.count
            try await simulation.runtime.sleep(for: .seconds(60))

            try requireEqual(ended, true)
            try requireEqual(transport.sent.count, sends)
        }
    }

    @Test("releases the bodies that it discards, and leaves the last one readable")
    func discardedBodies() async throws {
        let (text, discarded) = try await onEverySeed { simulation in
            let bodies = (0..<3).map { _ in CountingStream(chunks: 8) }
            let transport = ScriptedTransport<HTTP.Request> { _, call in
                HTTP.Response(503, body: .oneShot(bodies[call.attempt - 1]))
            }
            let client = try simulation.client(transport) { RetryInterceptor(policy: .steady) }
            let response = try await client.send(.get(orders))
            let text = try await response.text()
            return (text, bodies.dropLast().map { [$0.read, $0.cancels] })
        }

        expectEqual(text.count, 8 * 1024)
        expectEqual(discarded, [[4, 1], [4, 1]])
    }
}
