import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestRun
import TestSupport
import Testing

@testable import Resilience

@Suite("AdaptiveRateInterceptor")
struct AdaptiveRateInterceptorTests {
    private struct Run: Sendable {
        var sends: [Duration] = []
        var throttled = 0
        var rejected = 0
    }

    /// Sends twenty requests a second for twenty seconds to a service that takes so many.
    private func run(capacity: Int, timeout: Duration? = nil) throws -> Run {
        try Simulation.run { simulation in
            let seconds = Recorder<Int>()
            let transport = ScriptedTransport<HTTP.Request> { _, call in
                let second = Int(call.runtime.now.offset / .seconds(1))
                let isTooMany = seconds.entries.count { $0 == second } >= capacity
                seconds.note(second)
                return HTTP.Response(isTooMany ? 429 : 200)
            }
            let client = try simulation.client(transport, timeout: timeout) {
                AdaptiveRateInterceptor<HTTP.Request>(classifier: .standard)
            }
            let results = await withTaskGroup(of: Result<HTTP.Status, any Error>.self) { group in
                for _ in 0..<400 {
                    group.addTask {
                        do {
                            return .success(try await client.send(.get(orders)).status)
                        } catch {
                            return .failure(error)
                        }
                    }
                    try? await simulation.runtime.sleep(for: .milliseconds(50))
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            var run = Run(sends: transport.sent.map(\.instant.offset))
            for result in results {
                switch result {
                case .success(429): run.throttled += 1
                case .failure(is SendRateError): run.rejected += 1
                default: break
                }
            }
            return run
        }
    }

    @Test("delays nothing while nothing is throttled")
    func disabled() throws {
        let run = try run(capacity: 100)

        expectEqual(run.sends, (0..<400).map { .milliseconds($0 * 50) })
    }

    @Test("approaches the rate that a service accepts, and waits for it")
    func adapting() throws {
        let run = try run(capacity: 5)

        let late = run.sends.count { $0 >= .seconds(10) && $0 < .seconds(20) }
        expectTrue(late > 20)
        expectTrue(late < 90)
        expectEqual(run.sends.count, 400)
    }

    @Test("rejects at once what would wait beyond its deadline, as unsent")
    func deadline() throws {
        let run = try run(capacity: 5, timeout: .seconds(1))

        expectTrue(run.rejected > 100)
        expectEqual(run.sends.count + run.rejected, 400)
    }

    @Test("rejects as unsent, with the wait needed and the attempts made")
    func refusal() {
        var error = SendRateError(.milliseconds(1500))
        error.attempts = [
            Attempt(number: 1, reason: "429 Too Many Requests", duration: .zero, delay: .seconds(1))
        ]

        expectEqual(error.classification.kind, .rejected)
        expectTrue(error.classification.isUnsent)
        expectEqual(error.classification.retryAfter, .milliseconds(1500))
        let lines = "\(error)".split(separator: "\n")
        expectEqual(lines.count, 2)
        expectEqual(lines.first?.contains("would have to wait 1.5 s"), true)
        expectEqual(lines.last?.contains("429 Too Many Requests"), true)
    }

    @Test(
        "rethrows errors, and slows down only for throttling",
        arguments: [(Classification.Kind.throttled, true), (.transient, false)]
    )
    func failing(kind: Classification.Kind, isSlower: Bool) throws {
        let (error, wait) = try Simulation.run { simulation in
            let transport = ScriptedTransport<HTTP.Request> { _, _ in throw Judged(kind: kind) }
            let client = try simulation.client(transport) {
                AdaptiveRateInterceptor<HTTP.Request>(classifier: .standard)
            }
            let error = await #expect(throws: Judged.self) { try await client.send(.get(orders)) }
            let began = simulation.now
            _ = try? await client.send(.get(orders))
            return (error, began.duration(to: simulation.now))
        }

        expectEqual(error?.kind, kind)
        expectEqual((wait > .zero), isSlower)
    }

    @Test("waits until a whole token is available, and no longer")
    func wait() {
        var rate = AdaptiveRate()
        rate.note(isThrottled: true, at: .seconds(1))
        let instant = Runtime.Instant(offset: .milliseconds(1500))

        let wait = rate.take(at: instant)

        var (early, late) = (rate, rate)
        expectTrue(wait > .milliseconds(10))
        expectTrue(early.take(at: instant.advanced(by: wait - .milliseconds(1))) > .zero)
        expectEqual(late.take(at: instant.advanced(by: wait)), .zero)
    }

    @Test("keeps authorities apart")
    func authorities() throws {
        let waited = try Simulation.run { simulation in
            let transport = ScriptedTransport<HTTP.Request> { request, _ in
                HTTP.Response(request.url.host == "busy.example" ? 429 : 200)
            }
            let client = try simulation.client(transport) {
                AdaptiveRateInterceptor<HTTP.Request>(classifier: .standard)
            }
            for _ in 0..<3 { _ = try await client.send(.get("https://busy.example/")) }
            let before = simulation.now
            for _ in 0..<9 { _ = try await client.send(.get("https://idle.example/")) }
            return [before.offset, simulation.now.offset - before.offset]
        }

        expectTrue(waited[0] > .zero)
        expectEqual(waited[1], .zero)
    }

    @Test("ends a wait when the call is cancelled")
    func cancellation() async throws {
        try await besideOtherTests {
            try simulate(seeds: 0..<seedCount) { simulation in
                let transport = ScriptedTransport<HTTP.Request> { _, _ in HTTP.Response(429) }
                let client = try simulation.client(transport) {
                    AdaptiveRateInterceptor<HTTP.Request>(classifier: .standard)
                }
                _ = try await client.send(.get(orders))
                let isCancelled = await withTaskGroup(of: Bool.self) { group in
                    group.addTask {
                        do {
                            _ = try await client.send(.get(orders))
                            return false
                        } catch {
                            return error is CancellationError
                        }
                    }
                    try? await simulation.runtime.sleep(for: .milliseconds(100))
                    group.cancelAll()
                    return await group.next() ?? false
                }

                try require(isCancelled)
                try requireEqual(simulation.now.offset, .milliseconds(100))
                try requireEqual(transport.sent.count, 1)
            }
        }
    }
}

/// An error that says itself what it means.
private struct Judged: ClassifiedError {
    let kind: Classification.Kind

    var classification: Classification { Classification(kind, reason: "judged") }
}
