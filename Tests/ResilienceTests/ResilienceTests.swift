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
        return try #require(run).record
    }

    @Test("unlimited retries never recover, and each remedy does within 25 s")
    func recovery() throws {
        let end = 40

        #expect(try Self.record(.retry).recovery(after: end) == nil)
        for strategy in [Strategy.bare, .budget, .breaker, .throttle, .hedge, .standard] {
            let recovery = try Self.record(strategy).recovery(after: end)
            #expect(recovery.map { $0 <= 25 } == true, "\(strategy.name): \(recovery ?? -1) s")
        }
    }

    @Test("each strategy performs as its text says")
    func worth() throws {
        let bare = try Self.record(.bare)
        let retry = try Self.record(.retry)
        let budget = try Self.record(.budget)
        let breaker = try Self.record(.breaker)
        let standard = try Self.record(.standard)

        #expect(retry.amplification > 2)
        #expect(budget.amplification < 1.25)
        #expect(breaker.amplification < 1.1)
        #expect(standard.amplification < 1.1)
        #expect(standard.availability > retry.availability + 0.2)
        #expect(budget.availability > bare.availability - 0.05)
        let quick = try Self.record(.hedge).latency99(in: 10..<20) ?? .seconds(1)
        #expect(quick < .milliseconds(250))
        #expect(bare.latency99(in: 10..<20) ?? .zero > .milliseconds(300))
        #expect(breaker.breaker.contains { $0.value == .open })
        #expect(breaker.breaker.last?.value == .closed)
        #expect(budget.budget.contains { $0.value < 1 })
    }

    @Test("the page shows each strategy, and loads no resource or script")
    func page() throws {
        let page = Page(runs: try Self.runs.get(), conditions: Run.Conditions()).html

        for strategy in Strategy.all {
            #expect(page.contains("<figure id=\"\(strategy.id)\""))
            #expect(page.contains("\(strategy.id)-desc"))
        }
        for text in ["<script", "http://", "src=", "@import", "url(http"] {
            #expect(!page.contains(text), "\(text)")
        }
        #expect(page.contains("prefers-color-scheme: dark"))
        let (opened, closed) = (page.matches(of: /<svg/).count, page.matches(of: /<\/svg>/).count)
        #expect(opened == closed)
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

        #expect(try page(3) == first)
        #expect(try page(1) != first)
    }

    @Test("the command line accepts an output and a seed, and nothing else")
    func options() {
        let options = Options(["--output", "page.html", "--seed", "7"])

        #expect(options?.output == "page.html")
        #expect(options?.seed == 7)
        #expect(Options([])?.output.hasSuffix("/resilience.html") == true)
        #expect(Options(["--seed", "many"]) == nil)
        #expect(Options(["--output"]) == nil)
        #expect(Options(["--help", "me"]) == nil)
    }
}
