import ConformanceVectors
import Expectations
import Foundation
import InterceptorKit
import InterceptorKitTesting
import TestRun
import TestSupport
import Testing

@Suite("Retry and hedging as in gRPC (gRFC A6)")
struct GRPCRetryConformanceTests {
    private struct Vectors: Decodable {
        struct Pushback: Decodable { var value: String }
        struct Hedging: Decodable {
            var maxAttempts: Int
            var outstanding_at_ms: [String: Int]
        }

        var pushback: [Pushback]
        var hedging_example: Hedging
        var rules: [String]
        var backoff_ranges_s: [[Double]]
    }

    /// The published example: four attempts from 0.1 s to 1 s, a fifth more or less.
    private static var policy: RetryPolicy<HTTP.Request> {
        var policy = RetryPolicy<HTTP.Request>.standard
        policy.maxAttempts = 4
        policy.backoff = Backoff(
            base: .milliseconds(100),
            cap: .seconds(1),
            jitter: .within(0.8...1.2)
        )
        policy.budget = nil
        return policy.markingRetries(with: "grpc-previous-rpc-attempts")
    }

    /// As servers push back: a number of milliseconds, or anything else for never.
    private static var pushedBack: RetryPolicy<HTTP.Request> {
        var policy = Self.policy
        policy.backoff.jitter = .none
        policy.hook = { outcome, _, answer in
            guard case .success(let response) = outcome.result,
                let value = response.headers["grpc-retry-pushback-ms"]
            else { return answer }
            guard let wait = Int32(value), wait >= 0, "\(wait)" == value else { return .doNotRetry }
            return .retryAfter(.milliseconds(wait))
        }
        return policy
    }

    // gRFC A6, "Pushback" and "Hedging Policy".
    @Test("agree with the document's own numbers")
    func examples() throws {
        let hedging = Vectors.Hedging(
            maxAttempts: 4,
            outstanding_at_ms: ["1": 1, "501": 2, "1001": 3, "1501": 4]
        )

        try expectTrue(isRight(pushback: "1000"))
        try expectTrue(isRight(pushback: "-1"))
        try expectTrue(isRight(hedging: hedging))
        try expectTrue(isRight(backoff: [[0.08, 0.12], [0.16, 0.24], [0.32, 0.48]]))
    }

    @Test(
        "agree with the published numbers and rules",
        .tags(.vectors),
        .vectors("retry/grpc-a6.json")
    )
    func conformance() async throws {
        let data = try ConformanceVectors.Vectors.data("retry/grpc-a6.json")
        let vectors = try JSONDecoder().decode(Vectors.self, from: data)
        var conformance = Conformance("grpc-a6")

        for row in vectors.pushback {
            conformance.note(try isRight(pushback: row.value), "pushback \(row.value)")
        }
        conformance.note(try isRight(hedging: vectors.hedging_example), "hedging")
        conformance.note(try isRight(backoff: vectors.backoff_ranges_s), "backoff ranges")
        conformance.note(isFullJitter(vectors.backoff_ranges_s.count), "the rule of 2017")
        for rule in vectors.rules where !rule.hasPrefix("throttled retries") {
            conformance.note(try await holds(rule), rule)
        }

        print(conformance.summary)
        expectEqual(conformance.failures, [])
        expectTrue(conformance.passed >= 13)
    }

    private func isRight(pushback value: String) throws -> Bool {
        let pushed = ScriptStep<HTTP.Request>.status(
            503,
            headers: ["grpc-retry-pushback-ms": value]
        )
        let run = try RetryRun.once(
            [pushed, .status(503), .status(200)],
            .get(orders),
            Self.pushedBack,
            seed: 0
        )
        switch value {
        case "0": return run.times == [0, 0, 100].map { .milliseconds($0) }
        case "1000": return run.times == [0, 1000, 1100].map { .milliseconds($0) }
        default: return run.times == [.zero]
        }
    }

    private func isRight(hedging example: Vectors.Hedging) throws -> Bool {
        try Simulation.run { simulation in
            let transport = ScriptedTransport<HTTP.Request> { _, call in
                try await call.runtime.sleep(for: .seconds(60))
                return HTTP.Response(200)
            }
            var policy = HedgePolicy<HTTP.Request>.prompt
            policy.maxAttempts = example.maxAttempts
            policy.delay = .fixed(.milliseconds(500))
            let client = try simulation.client(transport) { [policy] in
                HedgeInterceptor(policy: policy)
            }
            return try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { _ = try await client.send(.get(orders)) }
                var isRight = true
                let outstanding = example.outstanding_at_ms
                    .map { (at: Int($0.key) ?? 0, count: $0.value) }
                    .sorted { $0.at < $1.at }
                for expected in outstanding {
                    let instant = Runtime.Instant(offset: .milliseconds(expected.at))
                    try await simulation.runtime.sleep(until: instant)
                    isRight = isRight && transport.sent.count == expected.count
                }
                group.cancelAll()
                return isRight
            }
        }
    }

    private func isRight(backoff ranges: [[Double]]) throws -> Bool {
        let steps = Array(repeating: ScriptStep<HTTP.Request>.status(503), count: 4)
        for seed in UInt64(0)..<200 {
            let run = try RetryRun.once(steps, .get(orders), Self.policy, seed: seed)
            let waits = zip(run.times.dropFirst(), run.times).map { $0 - $1 }
            for (wait, range) in zip(waits, ranges) {
                let seconds = wait / .seconds(1)
                guard seconds >= range[0] - 1e-9, seconds <= range[1] + 1e-9 else { return false }
            }
        }
        return true
    }

    private func isFullJitter(_ count: Int) -> Bool {
        let backoff = Backoff(base: .milliseconds(100), cap: .seconds(1), jitter: .full)
        return (1...count).allSatisfy { failures in
            let upper = min(Duration.milliseconds(100 << (failures - 1)), .seconds(1))
            return backoff.delay(after: failures, fraction: 0) == .zero
                && backoff.delay(after: failures, fraction: 0.5) == upper / 2
        }
    }

    private func holds(_ rule: String) async throws -> Bool {
        let busy = ScriptStep<HTTP.Request>.status(503)
        switch rule {
        case let rule where rule.hasPrefix("maxAttempts counts the original"):
            let run = try RetryRun.once(
                Array(repeating: busy, count: 9),
                .get(orders),
                Self.policy,
                seed: 0
            )
            var six = Self.policy
            six.maxAttempts = 6
            return run.sent.count == 4
                && (try? six.validate()) == nil
        case let rule where rule.hasPrefix("deadline covers"):
            let slow = busy.delayed(by: .milliseconds(400))
            let run = try RetryRun.once(
                Array(repeating: slow, count: 9),
                .get(orders),
                Self.policy,
                .seconds(1),
                seed: 0
            )
            return run.elapsed <= .seconds(1) && run.sent.count == 2
        case let rule where rule.hasPrefix("response headers received"):
            let broken = HTTP.Body.oneShot(FaultyStream(Data("0123456789".utf8), .lost(after: 4)))
            let run = try RetryRun.once(
                [.status(200, body: broken), .status(200)],
                .get(orders),
                Self.policy,
                seed: 0
            )
            let body = try run.result.get().body
            let isBroken = (try? await body.collect()) == nil
            return run.sent.count == 1 && isBroken
        case let rule where rule.hasPrefix("retry metadata"):
            let run = try RetryRun.once(
                [busy, busy, .status(200)],
                .get(orders),
                Self.policy,
                seed: 0
            )
            return run.sent.map { $0.headers["grpc-previous-rpc-attempts"] } == [nil, "1", "2"]
        default:
            return false
        }
    }
}
