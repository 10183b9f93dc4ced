import Expectations
import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitTesting
import Synchronization
import TestRun
import TestSupport
import Testing

@testable import InterceptorKit

@Suite("Simulated hours of a client")
struct SoakTests {
    private struct Tally: Sendable {
        var ended = 0
        var succeeded = 0
        var cancelled = 0
        var refreshing = 0
        var mostRefreshing = 0
        var expiresAt = Runtime.Instant(offset: .seconds(600))
        var mostBodies = 0
    }

    private final class Tallies: Sendable {
        private let tally = Lock(Tally())

        func withLock<Result: Sendable>(_ body: (inout Tally) -> Result) -> Result {
            tally.withLock { body(&$0) }
        }
    }

    @Test("end each call once, with one refresh at a time, despite failures")
    func soak() async throws {
        let tally = Tallies()
        let started = try await besideOtherTests { try simulatedCalls(tally) }

        let result = tally.withLock { $0 }
        expectEqual(result.ended, started)
        expectTrue(result.succeeded > started / 2)
        expectTrue(result.cancelled > 10 * soakHours)
        expectEqual(result.mostRefreshing, 1)
        expectEqual(result.refreshing, 0)
        expectTrue(result.mostBodies <= 64)
    }

    private func simulatedCalls(_ tally: Tallies) throws -> Int {
        try Simulation.run(seed: 72) { simulation in
            let client = try client(in: simulation, tally)
            var started = 0
            while simulation.now.offset < .seconds(soakHours * 3600) {
                started += 4
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<4 {
                        group.addTask { await call(client, simulation.runtime, tally) }
                    }
                    try await simulation.runtime.sleep(for: .seconds(60))
                    group.cancelAll()
                }
                let bodies = client.calls.counts.bodies
                tally.withLock { $0.mostBodies = max($0.mostBodies, bodies) }
                guard client.calls.counts.calls == 0 else { throw Problem(text: "a call is left") }
            }
            return started
        }
    }

    private func client(in simulation: Simulation, _ tally: Tallies) throws -> HTTP.Client {
        let transport = ScriptedTransport<HTTP.Request> { request, call in
            let runtime = call.runtime
            try await runtime.sleep(for: .milliseconds(Int64(runtime.random() % 400)))
            let isValid = tally.withLock { $0.expiresAt > runtime.now }
            guard isValid, request.headers["X-Signature"] != nil else { return HTTP.Response(401) }
            switch runtime.random() % 20 {
            case 0: return HTTP.Response(503, headers: ["Retry-After": "2"])
            case 1: return HTTP.Response(500)
            case 2: throw TransportError(.connectionLost, "The connection was lost.")
            case 3: try await runtime.sleep(for: .seconds(40))
            default: break
            }
            return HTTP.Response(200, body: .oneShot(CountingStream(chunks: 2)))
        }
        let tokens = RefreshableCredentialSource(initial: { .bearer("first") }) { _ in
            tally.withLock { tally in
                tally.refreshing += 1
                tally.mostRefreshing = max(tally.mostRefreshing, tally.refreshing)
            }
            defer { tally.withLock { $0.refreshing -= 1 } }
            try await simulation.runtime.sleep(for: .seconds(2))
            guard simulation.runtime.random() % 10 != 0 else { throw Problem(text: "no token now") }
            let expiry = simulation.now.advanced(by: .seconds(600))
            tally.withLock { $0.expiresAt = expiry }
            return .bearer("until \(expiry.offset)")
        }
        return try simulation.client(transport, timeout: .seconds(30)) {
            ErrorFilterInterceptor()
            RetryInterceptor(policy: .standard)
            TokenInterceptor(source: tokens, origins: ["https://api.example.com"])
            SignInterceptor(.hmacSHA256(keyID: "k", secret: "s"))
        }
    }

    private func call(_ client: HTTP.Client, _ runtime: Runtime, _ tally: Tallies) async {
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { _ = try await client.send(.get(orders)).text() }
                if runtime.random() % 8 == 0 {
                    try await runtime.sleep(for: .milliseconds(Int64(runtime.random() % 500)))
                    group.cancelAll()
                }
                try await group.waitForAll()
            }
            tally.withLock { $0.succeeded += 1 }
        } catch is CancellationError {
            tally.withLock { $0.cancelled += 1 }
        } catch {
            // Every other failure is an ending like any.
        }
        tally.withLock { $0.ended += 1 }
    }
}
