import ConformanceVectors
import Expectations
import Foundation
import InterceptorKit
import InterceptorKitTesting
import TestRun
import TestSupport
import Testing

@testable import Resilience

@Suite("Retry like the AWS SDKs")
struct AWSRetryConformanceTests {
    // "Retry eventually succeeds" and "Honor x-amz-retry-after header" of smithy-kotlin's tables.
    @Test("spends tokens and waits as two of the published tables say")
    func examples() throws {
        func steps(_ text: String) throws -> [AWSRetryVectors.Step] {
            try JSONDecoder().decode([AWSRetryVectors.Step].self, from: Data(text.utf8))
        }
        let given = AWSRetryVectors.Given()
        let succeeds = try steps(
            """
            [{"response": {"status_code": 500},
              "expected": {"outcome": "retry_request", "retry_quota": 495, "delay": 1}},
             {"response": {"status_code": 500},
              "expected": {"outcome": "retry_request", "retry_quota": 490, "delay": 2}},
             {"response": {"status_code": 200},
              "expected": {"outcome": "success", "retry_quota": 495}}]
            """
        )
        let honors = try steps(
            """
            [{"response": {"status_code": 500, "headers": {"x-amz-retry-after": "1500"}},
              "expected": {"outcome": "retry_request", "retry_quota": 486, "delay": 1.5}},
             {"response": {"status_code": 200},
              "expected": {"outcome": "success", "retry_quota": 500}}]
            """
        )

        try expectTrue(AWSClient(.v2_0, given).isRight(succeeds))
        try expectTrue(AWSClient(.v2_1, given).isRight(honors))
    }

    @Test("agrees with the published tables", .tags(.vectors), .vectors("retry/aws-retry.json"))
    func conformance() async throws {
        let data = try Vectors.data("retry/aws-retry.json")
        let vectors = try JSONDecoder().decode(AWSRetryVectors.self, from: data)
        var conformance = Conformance("aws-retry")

        for row in vectors.standard_v2_0 {
            conformance.note(try AWSClient(.v2_0, row.given).isRight(row.responses), row.name)
        }
        for row in vectors.standard_v2_1 + vectors.standard_v2_1_long_polling
            + vectors.standard_v2_1_multi_invocation
        {
            conformance.note(try AWSClient(.v2_1, row.given).isRight(row.responses), row.name)
        }
        for row in vectors.standard_v2_1_multi_threaded {
            let client = AWSClient(.v2_1, row.given)
            conformance.note(try client.isRight(threads: row), "multi-threaded")
        }
        for row in vectors.adaptive_cubic {
            conformance.note(isRight(row), row.name)
        }
        for row in vectors.adaptive_end_to_end {
            for (index, wrong) in mistakes(row).enumerated() {
                conformance.note(wrong == nil, "end to end, \(index): \(wrong ?? "")")
            }
        }
        for row in vectors.backoff_series ?? [] {
            conformance.note(try isRight(row), row.name)
        }
        for row in vectors.token_bucket ?? [] {
            if let isRight = isRight(bucket: row.name) {
                conformance.note(isRight, row.name)
            } else {
                // These charge a first attempt, or hold it back until there are tokens. No budget here
                // does either to one: that is a rate limit's.
                conformance.skip()
            }
        }
        for row in vectors.smithy_rs_cross_checks ?? [] {
            conformance.note(try isRight(check: row.name), row.name)
        }

        print(conformance.summary)
        expectEqual(conformance.failures, [])
        expectTrue(conformance.passed >= (vectors.backoff_series == nil ? 44 : 55))
        expectTrue(conformance.skipped <= 5)
    }

    private func isRight(_ row: AWSRetryVectors.Cubic) -> Bool {
        func instant(_ seconds: Double) -> Runtime.Instant { .init(offset: .seconds(seconds)) }
        var rate = AdaptiveRate.Cubic(
            lastMaximum: row.given.last_max_rate,
            lastThrottled: instant(row.given.last_throttle_time)
        )
        var present = 0.0
        return row.cases.allSatisfy { step in
            let now = instant(step.timestamp)
            present =
                step.response == "throttle" ? rate.throttled(at: present, now) : rate.succeeded(now)
            return abs(present - step.calculated_rate) < 1e-6 * step.calculated_rate
        }
    }

    private func mistakes(_ row: AWSRetryVectors.EndToEnd) -> [String?] {
        var rate = AdaptiveRate()
        return row.cases.map { step in
            rate.note(
                isThrottled: step.response == "throttle",
                at: .init(offset: .seconds(step.timestamp))
            )
            let measured = abs(rate.measured - step.measured_tx_rate)
            let filled = abs(rate.sendsPerSecond - step.new_token_bucket_rate)
            guard measured > 1e-5 || filled > 1e-5 else { return nil }
            return "\(rate.measured) and \(rate.sendsPerSecond)"
        }
    }

    private func isRight(_ row: AWSRetryVectors.Series) throws -> Bool {
        let cap = row.max_ms.map { Duration.milliseconds($0) } ?? .seconds(1_000_000)
        let base = row.throttling_base_ms ?? row.initial_ms
        let backoff = Backoff(
            base: .milliseconds(base),
            cap: cap,
            growth: row.factor,
            jitter: .within((1 - row.jitter)...1)
        )
        if let wish = row.retry_after_ms {
            let own = backoff.delay(after: 1, fraction: 1)
            let wait = AWSClient.bounded(.milliseconds(wish), own)
            return [wait] == row.expected_ms?.map { .milliseconds($0) }
        }
        func delays(_ fraction: Double, _ count: Int) -> [Duration] {
            (1...count).map { backoff.delay(after: $0, fraction: fraction) }
        }
        if let expected = row.expected_ms {
            return delays(0.5, expected.count) == expected.map { .milliseconds($0) }
        }
        let ranges = row.expected_ranges_ms ?? []
        return zip(ranges, zip(delays(0, ranges.count), delays(1, ranges.count))).allSatisfy {
            $0[0] == Int(($1.0 / .milliseconds(1)).rounded())
                && $0[1] == Int(($1.1 / .milliseconds(1)).rounded())
        }
    }

    private func isRight(bucket name: String) -> Bool? {
        switch name {
        case "defaults":
            let quota = RetryQuota { _ in 5 }
            guard quota.tokens(of: nil) == 500, quota.allows(nil, at: .origin) else { return false }
            quota.recordFirstAttempt(to: nil, at: .origin)
            guard quota.tokens(of: nil) == 495 else { return false }
            quota.recordSuccess(to: nil, after: nil)
            return quota.tokens(of: nil) == 496
        case "retry costs by error kind":
            return [("throttling", 7), ("transient", 7), ("client_side", 8), ("server_side", 8)]
                .allSatisfy { kind, left in
                    let quota = RetryQuota(capacity: 10) {
                        ["throttling", "transient"].contains($0.reason) ? 3 : 2
                    }
                    return quota.allows(nil, at: .origin, after: .transient(kind))
                        && quota.tokens(of: nil) == left
                }
        default:
            return nil
        }
    }

    private func isRight(check name: String) throws -> Bool {
        func times(_ attempts: Int, base: Duration, _ statuses: [HTTP.Status]) throws -> [Duration]
        {
            var policy = RetryPolicy<HTTP.Request>.standard
            policy.maxAttempts = attempts
            policy.allowsManyAttempts = true
            policy.backoff = Backoff(base: base, jitter: .none)
            policy.budget = RetryQuota()
            let steps = statuses.map { ScriptStep<HTTP.Request>.status($0) }
            return try Simulation.run { [policy] simulation in
                let transport = ScriptedTransport<HTTP.Request>(replies: steps)
                let client = try simulation.client(transport) { RetryInterceptor(policy: policy) }
                _ = try await client.send(.get(orders))
                return transport.sent.map(\.instant.offset)
            }
        }
        switch name {
        case let name where name.hasPrefix("attempt 33 of 100"):
            return Backoff(base: .seconds(1), jitter: .none).delay(after: 33, fraction: 0)
                == .seconds(20)
        case let name where name.hasPrefix("third attempt of 4"):
            return try times(4, base: .seconds(1), [500, 500, 500, 200])
                == [0, 1, 3, 7].map { .seconds($0) }
        case let name where name.hasPrefix("4th of 4"):
            return try times(4, base: .seconds(1), [500, 500, 500, 500, 200]).count == 4
        case let name where name.hasPrefix("dynamodb v2.1"):
            return try times(4, base: .milliseconds(25), [500, 500, 500, 200]).last
                == .milliseconds(175)
        case let name where name.hasPrefix("dynamodb v2.0"):
            return try times(3, base: .seconds(1), [500, 500, 200])
                == [0, 1, 3].map { .seconds($0) }
        default:
            return false
        }
    }
}
