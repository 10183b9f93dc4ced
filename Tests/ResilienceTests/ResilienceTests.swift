import Expectations
import InterceptorKit
import TestRun
import Testing

@testable import Resilience

@Suite("Resilience", .tags(.slow), .processorBound)
struct ResilienceTests {
    /// Every strategy under the conditions of the page.
    private static let runs = Result { try Strategy.all.map { try Run($0) } }

    private static func record(_ strategy: Strategy) throws -> Record {
        let run = try runs.get().first { $0.strategy.id == strategy.id }
        return try unwrap(run).record
    }

    @Test("unlimited retries never recover, and each remedy does within 25 s")
    func recovery() throws {
        let end = 40

        try expectEqual(Self.record(.retry).recovery(after: end), nil)
        for strategy in [Strategy.bare, .budget, .breaker, .hedge, .standard] {
            let recovery = try Self.record(strategy).recovery(after: end)
            expectEqual(recovery.map { $0 <= 25 }, true, "\(strategy.name): \(recovery ?? -1) s")
        }
    }

    @Test("each strategy performs as its text says")
    func worth() throws {
        let bare = try Self.record(.bare)
        let retry = try Self.record(.retry)
        let budget = try Self.record(.budget)
        let breaker = try Self.record(.breaker)
        let standard = try Self.record(.standard)

        expectTrue(retry.amplification > 2)
        expectTrue(budget.amplification < 1.25)
        expectTrue(breaker.amplification < 1.1)
        expectTrue(standard.amplification < 1.1)
        expectTrue(standard.availability > retry.availability + 0.2)
        expectTrue(budget.availability > bare.availability - 0.05)
        expectTrue(retry.harm(beside: bare) > 0.3, "\(retry.harm(beside: bare))")
        expectTrue(standard.harm(beside: bare) < 0.1, "\(standard.harm(beside: bare))")
        let quick = try Self.record(.hedge).latency99(in: 10..<20) ?? .seconds(1)
        expectTrue(quick < .milliseconds(250))
        expectTrue(bare.latency99(in: 10..<20) ?? .zero > .milliseconds(300))
        expectTrue(breaker.breaker.contains { $0.value == .open })
        expectEqual(breaker.breaker.last?.value, .closed)
        expectTrue(budget.budget.contains { $0.value < 1 })
    }

    @Test("the page shows each strategy, and loads no resource or script")
    func page() throws {
        let page = Page(runs: try Self.runs.get(), conditions: Run.Conditions()).html

        for strategy in Strategy.all {
            expectTrue(page.contains("<figure id=\"\(strategy.id)\""))
            expectTrue(page.contains("\(strategy.id)-desc"))
        }
        for text in ["<script", "http://", "src=", "@import", "url(http"] {
            expectTrue(!page.contains(text), "\(text)")
        }
        expectTrue(page.contains("prefers-color-scheme: dark"))
        let (opened, closed) = (page.matches(of: /<svg/).count, page.matches(of: /<\/svg>/).count)
        expectEqual(opened, closed)
    }

    @Test("one seed always gives the same page, and another policy another page")
    func rendered() throws {
        var conditions = Run.Conditions()
        conditions.length = .seconds(30)
        conditions.backend.brownOut = .seconds(5)..<(.seconds(15))
        func page(_ attempts: Int) throws -> String {
            let strategy = Strategy("changed", "Changed", "A policy that is changed.") {
                var policy = RetryPolicy<HTTP.Request>.standard
                policy.maxAttempts = attempts
                return Strategy.Parts(interceptors: [
                    RetryInterceptor(policy: policy),
                    TimeoutInterceptor<HTTP.Request>(attempt: .seconds(1)),
                ])
            }
            return Page(runs: [try Run(strategy, under: conditions)], conditions: conditions).html
        }

        let first = try page(3)

        try expectEqual(page(3), first)
        try expectTrue(page(1) != first)
    }
}
