import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestRun
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("RetryInterceptor under every seed")
struct RetryPropertyTests {
    private static let seeds: Range<UInt64> = 0..<(2 * seedCount)

    @Test("never exceeds its attempts, plus one for an unprocessed request")
    func attempts() async throws {
        try await onEverySeed(Self.seeds) { simulation in
            let runtime = simulation.runtime
            let resends = Recorder<Int>()
            let transport = ScriptedTransport<HTTP.Request> { _, call in
                switch runtime.random() % 6 {
                case 0: return HTTP.Response(200)
                case 1: return HTTP.Response(503, headers: ["Retry-After": "1"])
                case 2: throw TransportError(.cannotConnect, "Down.", isUnsent: true)
                case 3:
                    resends.note(call.attempt)
                    throw TransportError(.connectionLost, "Refused.", isUnsent: true)
                default: return HTTP.Response(500)
                }
            }
            var policy = RetryPolicy<HTTP.Request>.standard
            policy.maxAttempts = 1 + Int(runtime.random() % 5)
            if runtime.random() % 2 == 0 { policy.hook = { _, _, _ in .retry } }
            let client = try simulation.client(transport, timeout: .seconds(30)) { [policy] in
                RetryInterceptor(policy: policy)
            }

            _ = try? await client.send(.get(orders))

            let more = policy.maxAttempts > 1 && !resends.entries.isEmpty ? 1 : 0
            try require(transport.sent.count <= policy.maxAttempts + more)
            try require(transport.sent.allSatisfy { $0.attempt <= policy.maxAttempts })
        }
    }

    @Test("sends in any ten seconds of an outage at most 1.3 times the requests")
    func outage() async throws {
        try await onEverySeed(Self.seeds) { simulation in
            let runtime = simulation.runtime
            let outage = Runtime.Instant(offset: .seconds(10))
            let kind = simulation.seed % 3
            let transport = ScriptedTransport<HTTP.Request> { _, call in
                if call.runtime.now < outage { return HTTP.Response(200) }
                switch kind {
                case 0: return HTTP.Response(503)
                case 1: return HTTP.Response(429)
                default: throw TransportError(.connectionLost, "The connection was lost.")
                }
            }
            let client = try simulation.client(transport) { RetryInterceptor(policy: .standard) }
            let rate = 10 + Int(simulation.seed % 2) * 2

            await withTaskGroup { group in
                for _ in 0..<(22 * rate) {
                    group.addTask { _ = try? await client.send(.get(orders)) }
                    try? await runtime.sleep(for: .seconds(1) / rate)
                }
            }

            let sends = transport.sent.map { ($0.instant.offset, $0.attempt == 1) }
            var (end, requests) = (0, 0)
            for (start, send) in sends.enumerated() where send.0 < .seconds(12) {
                while end < sends.count, sends[end].0 < send.0 + .seconds(10) {
                    requests += sends[end].1 ? 1 : 0
                    end += 1
                }
                try require(Double(end - start) <= Double(requests) * 1.3 + 1e-6)
                requests -= send.1 ? 1 : 0
            }
        }
    }

    @Test("ends before the deadline, whatever the policy and the server ask for")
    func deadline() async throws {
        try await onEverySeed(Self.seeds) { simulation in
            let runtime = simulation.runtime
            let transport = ScriptedTransport<HTTP.Request> { _, _ in
                let wish = runtime.random() % 4
                return HTTP.Response(503, headers: wish == 0 ? [:] : ["Retry-After": "\(wish)"])
            }
            var policy = RetryPolicy<HTTP.Request>.standard
            policy.maxAttempts = 2 + Int(runtime.random() % 4)
            policy.budget = nil
            policy.backoff.base = .milliseconds(Int(runtime.random() % 2000))
            policy.backoff.jitter = [.none, .full, .equal][Int(runtime.random() % 3)]
            let limit = Duration.milliseconds(Int(1 + runtime.random() % 6000))
            let client = try simulation.client(transport, timeout: limit) { [policy] in
                RetryInterceptor(policy: policy)
            }

            let response = try await client.send(.get(orders))

            try requireEqual(response.status, 503)
            try require(simulation.now.offset < limit)
            let last = transport.sent.last?.instant.offset
            // The wait that would have been too long was not begun.
            try requireEqual(simulation.now.offset, last)
        }
    }

    @Test("sends nothing again for a body that fails after its response")
    func late() async throws {
        try await onEverySeed(Self.seeds) { simulation in
            let transport = ScriptedTransport<HTTP.Request> { _, _ in
                HTTP.Response(200, body: .oneShot(BrokenStream()))
            }
            let client = try simulation.client(transport) { RetryInterceptor(policy: .standard) }

            let response = try await client.send(.get(orders))
            let read = try? await response.body.collect()

            try requireEqual(read, nil)
            try requireEqual(transport.sent.count, 1)
        }
    }

    @Test("sends nothing once the caller is cancelled, and says so")
    func cancellation() async throws {
        try await onEverySeed(Self.seeds) { simulation in
            let runtime = simulation.runtime
            let transport = ScriptedTransport<HTTP.Request> { _, call in
                try await call.runtime.sleep(for: .milliseconds(Int64(runtime.random() % 20)))
                if runtime.random() % 2 == 0 { throw TransportError(.connectionLost, "Lost.") }
                return HTTP.Response(503, body: .oneShot(CountingStream(chunks: 3)))
            }
            var policy = RetryPolicy<HTTP.Request>.standard
            policy.maxAttempts = 5
            let client = try simulation.client(transport) { [policy] in
                RetryInterceptor(policy: policy)
            }

            let (sends, result) = await simulation.send(
                to: client,
                over: transport,
                cancelledAfter: .milliseconds(Int64(runtime.random() % 150))
            )
            let sendsThen = transport.sent.count
            try await runtime.sleep(for: .seconds(100))

            try requireEqual(sendsThen, sends)
            try requireEqual(transport.sent.count, sendsThen)
            if case .failure(let error) = result, sendsThen < 5 {
                try require(error is CancellationError)
            }
        }
    }

    @Test("leaves nothing open after the call but the response's body")
    func nothingLeft() async throws {
        try await onEverySeed(Self.seeds) { simulation in
            let runtime = simulation.runtime
            let streams = Recorder<CountingStream>()
            let transport = ScriptedTransport<HTTP.Request> { _, call in
                try await call.runtime.sleep(for: .milliseconds(Int64(runtime.random() % 20)))
                let stream = CountingStream(chunks: 8)
                streams.note(stream)
                let status: HTTP.Status = runtime.random() % 2 == 0 ? 503 : 200
                return HTTP.Response(status, body: .oneShot(stream))
            }
            let client = try simulation.client(transport) { RetryInterceptor(policy: .standard) }

            let response = try await client.send(.get(orders))
            let sends = transport.sent.count
            try await runtime.sleep(for: .seconds(100))

            try requireEqual(transport.sent.count, sends)
            try require(streams.entries.dropLast().allSatisfy { $0.cancels == 1 })
            try requireEqual(streams.entries.last?.read, 0)
            try await requireEqual(response.body.collect().count, 8 * 1024)
        }
    }
}

private final class BrokenStream: HTTP.BodyStream {
    func next() async throws -> Data? {
        throw TransportError(.connectionLost, "The connection was lost.")
    }

    func cancel() {}
}
