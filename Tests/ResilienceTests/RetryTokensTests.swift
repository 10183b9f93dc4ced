import ConformanceVectors
import Expectations
import Foundation
import InterceptorKit
import TestRun
import Testing

@testable import Resilience

@Suite("RetryThrottle and RetryQuota")
struct RetryTokensTests {
    @Test("a throttle refuses invalid numbers and doesn't trap on them")
    func throttleNumbers() {
        let throttles = [
            RetryThrottle(maxTokens: 0), RetryThrottle(maxTokens: -1),
            RetryThrottle(maxTokens: .max), RetryThrottle(tokenRatio: .nan),
            RetryThrottle(tokenRatio: 0), RetryThrottle(tokenRatio: -.infinity),
        ]

        for throttle in throttles {
            throttle.recordFailure(to: nil, .transient("503"))
            throttle.recordSuccess(to: nil, after: nil)
            #expect(throws: SettingError.self) { try throttle.validate() }
        }
        #expect(throws: Never.self) { try RetryThrottle().validate() }
    }

    @Test("a quota charges a price by the failure, and returns it on success")
    func quota() {
        let quota = RetryQuota(capacity: 20)
        expectTrue(quota.allows("a", at: .origin, after: .transient("503")))
        expectTrue(quota.allows("a", at: .origin, after: Classification(.throttled, reason: "429")))
        expectTrue(
            !quota.allows("a", at: .origin, after: Classification(.throttled, reason: "429"))
        )
        expectEqual(quota.tokens(of: "a"), 1)

        quota.recordSuccess(to: "a", after: .transient("503"))
        quota.recordSuccess(to: "a", after: nil)

        expectEqual(quota.tokens(of: "a"), 16)
    }

    @Test("a quota never exceeds its capacity, and clamps extreme prices")
    func quotaNumbers() {
        let quota = RetryQuota(capacity: 10) { _ in -5 }
        expectTrue(quota.allows(nil, at: .origin))
        quota.recordSuccess(to: nil, after: nil)
        expectEqual(quota.tokens(of: nil), 10)

        let dear = RetryQuota(capacity: .max, successIncrement: .max) { _ in .max }
        expectTrue(dear.allows(nil, at: .origin))
        dear.recordSuccess(to: nil, after: .transient("503"))
        expectEqual(dear.tokens(of: nil), 1_000_000_000)

        expectEqual(RetryQuota(capacity: -1).tokens(of: nil), 0)
    }

    @Test("a quota without success increment gains nothing by an early success")
    func quotaWithoutGain() {
        let quota = RetryQuota(capacity: 20, successIncrement: 0)
        expectTrue(quota.allows("a", at: .origin, after: .transient("503")))

        quota.recordSuccess(to: "a", after: nil)

        expectEqual(quota.tokens(of: "a"), 6)
    }

    @Test("both keep 64 authorities by default")
    func authorities() {
        let allowances: [any RetryLimiter] = [
            RetryQuota(capacity: 14), RetryThrottle(maxTokens: 2),
        ]

        for allowance in allowances {
            func spend(_ authority: String) -> Bool {
                defer { allowance.recordFailure(to: authority, .transient("503")) }
                return allowance.allows(authority, at: .origin, after: .transient("503"))
            }
            let first = (0..<64).map { spend("\($0)") }
            let kept = (0..<64).map { spend("\($0)") }
            let further = spend("another")
            let dropped = spend("0")

            expectTrue(first.allSatisfy { $0 } && further && dropped, "\(allowance)")
            expectTrue(kept.allSatisfy { !$0 }, "\(allowance)")
        }
    }

    // gRFC A6, "Throttling Retry Attempts and Hedged RPCs".
    @Test("a throttle counts as gRPC's example does")
    func example() {
        let rows: [(event: String, count: Double, isAllowed: Bool)] = [
            ("fail", 3, true), ("fail", 2, false), ("success", 2.5, true), ("fail", 1.5, false),
            ("success", 2, false), ("success", 2.5, true),
        ]
        let steps = rows.map {
            A6.Step(event: $0.event, token_count: $0.count, retries_allowed: $0.isAllowed)
        }

        expectEqual(A6.Row(maxTokens: 4, tokenRatio: 0.5, steps: steps).mistakes, [])
    }

    @Test("a throttle counts as gRPC's tables do", .tags(.vectors), .vectors("retry/grpc-a6.json"))
    func tables() throws {
        let data = try Vectors.data("retry/grpc-a6.json")
        let rows = try JSONDecoder().decode(A6.self, from: data).throttling

        expectTrue(rows.allSatisfy { $0.mistakes.isEmpty })
        expectTrue(rows.map(\.steps.count).reduce(0, +) >= 24)
    }
}

/// The tables of gRFC A6 about throttling.
private struct A6: Decodable {
    struct Step: Decodable {
        var event: String
        var token_count: Double
        var retries_allowed: Bool
    }

    struct Row: Decodable {
        var maxTokens: Int
        var tokenRatio: Double
        var steps: [Step]

        /// The numbers of the steps after which the throttle is in another state.
        var mistakes: [Int] {
            let throttle = RetryThrottle(maxTokens: maxTokens, tokenRatio: tokenRatio)
            return steps.indices.filter { index in
                let step = steps[index]
                if step.event == "fail" {
                    throttle.recordFailure(to: "a", .transient("UNAVAILABLE"))
                } else {
                    throttle.recordSuccess(to: "a", after: nil)
                }
                return throttle.tokens(of: "a") != step.token_count
                    || throttle.allows("a", at: .origin) != step.retries_allowed
            }
        }
    }

    var throttling: [Row]
}
