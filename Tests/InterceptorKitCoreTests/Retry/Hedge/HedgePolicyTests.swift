import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("HedgePolicy")
struct HedgePolicyTests {
    @Test(
        "hedges an input that isn't HTTP only if its call is idempotent",
        arguments: [(nil, 1), (false, 1), (true, 2)] as [(Bool?, Int)]
    )
    func otherInputs(isIdempotent: Bool?, sends: Int) throws {
        let count = try Simulation.run { simulation in
            let sent = Recorder<Int>()
            var policy = HedgePolicy<Int>.standard
            policy.delay = .fixed(.milliseconds(100))
            policy.budget = nil
            let pipeline = try Pipeline(
                transport: Echo<Int> { input, call in
                    sent.note(input)
                    try await call.runtime.sleep(for: .seconds(1))
                    return input
                },
                runtime: simulation.runtime
            ) { HedgeInterceptor(policy: policy) }
            var call = Call(runtime: simulation.runtime)
            call.isIdempotent = isIdempotent

            _ = try await pipeline.run(1, call: call)
            return sent.entries.count
        }

        expectEqual(count, sends)
    }

    /// The script of the first server, that of the other one, and what comes of both.
    struct Elsewhere: Sendable {
        var here: [ScriptStep<HTTP.Request>]
        var there: [ScriptStep<HTTP.Request>]
        var status: HTTP.Status?
        var sends: [Int]
    }

    /// The cases of Polly's `HedgingResilienceStrategyTests` with an `ActionGenerator`.
    @Test(
        "asks elsewhere when an attempt is slow or fails",
        arguments: [
            // The primary is fast: the other is not asked.
            Elsewhere(here: [.status(200)], there: [], status: 200, sends: [1, 0]),
            // The primary is slow, or fails: the other answers.
            Elsewhere(
                here: [.status(200).delayed(by: .seconds(9))],
                there: [.status(202)],
                status: 202,
                sends: [1, 1]
            ),
            Elsewhere(here: [.status(503)], there: [.status(202)], status: 202, sends: [1, 1]),
            Elsewhere(
                here: [.fail(TransportError(.connectionLost, "Lost."))],
                there: [.status(202)],
                status: 202,
                sends: [1, 1]
            ),
            // The primary comes first after all.
            Elsewhere(
                here: [.status(201).delayed(by: .milliseconds(150))],
                there: [.status(202).delayed(by: .seconds(9))],
                status: 201,
                sends: [1, 1]
            ),
            // The first hedge fails, and the second answers.
            Elsewhere(
                here: [.status(503)],
                there: [.fail(TransportError(.timedOut, "Late.")), .status(203)],
                status: 203,
                sends: [1, 2]
            ),
            // All fail: the primary's outcome.
            Elsewhere(
                here: [.status(500)],
                there: [.status(502), .status(503)],
                status: 500,
                sends: [1, 2]
            ),
            // A permanent outcome of the other decides.
            Elsewhere(
                here: [.status(200).delayed(by: .seconds(9))],
                there: [.status(404)],
                status: 404,
                sends: [1, 1]
            ),
        ],
        [true, false]
    )
    func elsewhere(row: Elsewhere, byChain: Bool) throws {
        let (status, sends, hosts, attempts) = try Simulation.run { simulation in
            let first = ScriptedTransport<HTTP.Request>(replies: row.here)
            let second = ScriptedTransport<HTTP.Request>(replies: row.there)
            let mirror = try Pipeline(transport: second, runtime: simulation.runtime) {
                AnyInterceptor { try await $0.proceed { $0.headers["X-Mirror"] = "yes" } }
            }
            let attempts = Recorder<Int>()
            var policy = HedgePolicy<HTTP.Request>.prompt
            policy.maxAttempts = 3
            policy.action = { chain in
                attempts.note(chain.call.attempt)
                if byChain { return try await mirror.run(chain.input, call: chain.call) }
                return try await chain.proceed {
                    $0.url = "https://b.example.com\(raw: $0.url.requestTarget)"
                }
            }
            let client = try simulation.client(
                ScriptedTransport { request, call in
                    try await (request.url.host == "b.example.com" ? second : first).send(
                        request,
                        call: call
                    )
                }
            ) { [policy] in
                HedgeInterceptor(policy: policy)
            }
            let response = try? await client.send(.get(orders))
            let other = second.sent.map(\.input)
            return (
                response?.status, [first.sent.count, second.sent.count],
                other.map { byChain ? $0.headers["X-Mirror"] : $0.url.host }, attempts.entries
            )
        }

        expectEqual(status, row.status)
        expectEqual(sends, row.sends)
        expectTrue(hosts.allSatisfy { $0 == (byChain ? "yes" : "b.example.com") })
        expectEqual(attempts, Array(2..<(2 + row.sends[1])))
    }

    @Test("ends a hedge elsewhere with its call, and releases its response")
    func endedElsewhere() throws {
        let stream = CountingStream(chunks: 10)
        let (cancels, other) = try Simulation.run { simulation in
            let cancels = Recorder<String>()
            var policy = HedgePolicy<HTTP.Request>.prompt
            policy.maxAttempts = 3
            policy.action = { chain in
                if chain.call.attempt == 3 { return HTTP.Response(503, body: .oneShot(stream)) }
                do {
                    try await chain.call.runtime.sleep(for: .seconds(60))
                } catch {
                    cancels.note("\(error)")
                    throw error
                }
                return HTTP.Response(204)
            }
            let transport = ScriptedTransport<HTTP.Request>(replies: [
                .status(200).delayed(by: .milliseconds(500))
            ])
            let client = try simulation.client(transport) { [policy] in
                HedgeInterceptor(policy: policy)
            }
            let status = try await client.send(.get(orders)).status
            return (cancels.entries.count, status)
        }

        expectEqual(cancels, 1)
        expectEqual(other, 200)
        expectEqual(stream.cancels, 1)
    }

    @Test("learns its delay from the first attempts alone if hedges go elsewhere")
    func delayElsewhere() throws {
        let times = try Simulation.run { simulation in
            let times = Recorder<Duration>()
            var policy = HedgePolicy<HTTP.Request>.prompt
            policy.delay = .percentile(0.5, minimumSamples: 1, fallback: .milliseconds(100))
            policy.action = { chain in
                times.note(chain.call.runtime.now.offset)
                try await chain.call.runtime.sleep(for: .milliseconds(1))
                return HTTP.Response(200)
            }
            let transport = ScriptedTransport<HTTP.Request> { _, call in
                try await call.runtime.sleep(for: .seconds(9))
                return HTTP.Response(200)
            }
            let client = try simulation.client(transport) { [policy] in
                HedgeInterceptor(policy: policy)
            }
            _ = try await client.send(.get(orders))
            let began = simulation.now.offset
            _ = try await client.send(.get(orders))
            return times.entries.map { $0 - (($0 > began) ? began : .zero) }
        }

        expectEqual(times.first, .milliseconds(100))
        expectTrue(times.last.map { $0 >= .milliseconds(100) } ?? false)
    }
}
