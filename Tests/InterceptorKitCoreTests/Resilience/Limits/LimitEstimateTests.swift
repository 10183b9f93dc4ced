import InterceptorKit
import TestSupport
import Testing

@testable import InterceptorKitCore

@Suite("LimitEstimate")
struct LimitEstimateTests {
    @Test("starts at 20")
    func initial() {
        #expect(LimitEstimate(settings: AdaptiveConcurrencyLimit()).permits == 20)
    }

    @Test("adds one a window by additive increase, and shrinks by 10 % on failure")
    func additive() {
        var run = Run(.additiveIncrease())

        run.windows(5, of: .milliseconds(10))
        #expect(run.estimate.permits == 25)

        run.window(of: .milliseconds(10), failing: 1)
        #expect(run.estimate.permits == 22)
    }

    @Test("shrinks by additive increase if the 90th percentile exceeds the bound")
    func slow() {
        var run = Run(.additiveIncrease(slowerThan: .seconds(1)))

        run.window(of: .seconds(2))

        #expect(run.estimate.permits == 18)
    }

    @Test(
        "keeps the limit when less than half of it was used",
        arguments: [AdaptiveConcurrencyLimit.Algorithm.additiveIncrease(), .gradient]
    )
    func unused(algorithm: AdaptiveConcurrencyLimit.Algorithm) {
        var run = Run(algorithm)

        run.windows(10, of: .milliseconds(10), using: 9)

        #expect(run.estimate.permits == 20)
    }

    @Test("grows by the gradient up to the maximum while latency is constant")
    func growing() {
        var run = Run(.gradient)

        run.windows(1000, of: .milliseconds(10), using: 1000)

        #expect(run.estimate.permits == 200)
    }

    @Test("shrinks by the gradient at triple latency, and grows again after")
    func gradient() {
        var run = Run(.gradient)
        run.windows(100, of: .milliseconds(10), using: 1000)
        let before = run.estimate.permits

        run.windows(10, of: .milliseconds(30), using: 1000)
        let loaded = run.estimate.permits
        run.windows(50, of: .milliseconds(10), using: 1000)

        #expect(Double(loaded) < 0.6 * Double(before))
        #expect(run.estimate.permits > loaded)
    }

    @Test("falls to the minimum and no lower while everything fails")
    func floor() {
        for algorithm in [AdaptiveConcurrencyLimit.Algorithm.additiveIncrease(), .gradient] {
            var run = Run(algorithm)

            run.windows(200, of: .milliseconds(10), failing: 50)

            #expect(run.estimate.permits == 1)
        }
    }

    @Test("ends a window after 1 s and 50 calls, or after 30 s")
    func windows() {
        var run = Run(.additiveIncrease())
        run.calls(1000, of: .zero, over: 0.9)
        #expect(run.estimate.permits == 20)
        run.calls(1, of: .zero, over: 0.2)
        #expect(run.estimate.permits == 21)

        run.calls(40, of: .zero, over: 29.9)
        #expect(run.estimate.permits == 21)
        run.calls(1, of: .zero, over: 0.2)
        #expect(run.estimate.permits == 22)
    }

    @Test("counts failures among the calls of a window")
    func failuresOnly() {
        var estimate = LimitEstimate(settings: AdaptiveConcurrencyLimit())

        for call in 0..<50 { _ = estimate.add(nil, at: at(Double(call) * 0.03)) { 20 } }

        #expect(estimate.permits == 18)
    }

    @Test("stays finite and within its range, whatever the calls do")
    func bounds() {
        for seed in UInt64(0)..<200 {
            var random = SplitMix64(seed: seed)
            var settings = AdaptiveConcurrencyLimit(seed % 2 == 0 ? .gradient : .additiveIncrease())
            settings.range = 2...50
            var estimate = LimitEstimate(settings: settings)
            var now = at(0)
            for _ in 0..<2000 {
                now = now.advanced(by: .milliseconds(random.next() % 200))
                let duration: Duration? =
                    switch random.next() % 10 {
                    case 0: nil
                    case 1: .zero
                    case 2: .seconds(Int64.max)
                    case 3: .seconds(-5)
                    default: .milliseconds(random.next() % 5000)
                    }
                _ = estimate.add(duration, at: now) { Int(random.next() % 100) }
                #expect(settings.range.contains(estimate.permits))
            }
        }
    }

    @Test(
        "refuses invalid numbers",
        arguments: [
            Refusal({ $0.range = 0...5 }, "range.lowerBound is 0 and must be at least 1."),
            Refusal({ $0.range = 30...50 }, "initial is 20 and must be from 30 to 50."),
            Refusal({ $0.initial = -1 }, "initial is -1 and must be from 1 to 200."),
            Refusal({ $0.queueLimit = -1 }, "queueLimit is -1"),
            Refusal({ $0.window = .zero ... .seconds(1) }, "window.lowerBound is 0 s"),
            Refusal({ $0.window = .seconds(1) ... .seconds(1e15) }, "window.upperBound is"),
            Refusal({ $0.algorithm = .additiveIncrease(slowerThan: .zero) }, "slowerThan is 0 s"),
            Refusal({ $0.authorityLimit = 0 }, "authorityLimit is 0"),
        ] as [Refusal<AdaptiveConcurrencyLimit>]
    )
    func refusals(refusal: Refusal<AdaptiveConcurrencyLimit>) {
        var settings = AdaptiveConcurrencyLimit()
        refusal.change(&settings)

        let error = #expect(throws: PipelineError.self) {
            try Pipeline(transport: Echo<Int>()) { [settings] in
                AdaptiveConcurrencyLimitInterceptor(settings)
            }
        }

        #expect(error?.message.contains(refusal.text) == true)
    }
}

/// An estimate and the time its calls have taken so far.
private struct Run {
    var estimate: LimitEstimate
    private var now = 0.0

    init(_ algorithm: AdaptiveConcurrencyLimit.Algorithm) {
        estimate = LimitEstimate(settings: AdaptiveConcurrencyLimit(algorithm))
        calls(1, of: .zero, over: 0)
    }

    mutating func calls(_ count: Int, of duration: Duration?, over time: Double, using: Int = 1000)
    {
        for _ in 0..<count {
            now += time / Double(count)
            _ = estimate.add(duration, at: at(now)) { using }
        }
    }

    mutating func window(of duration: Duration, failing: Int = 0, using: Int = 1000) {
        calls(failing, of: nil, over: 0, using: using)
        calls(100 - failing, of: duration, over: 1.001, using: using)
    }

    mutating func windows(_ count: Int, of duration: Duration, failing: Int = 0, using: Int = 1000)
    {
        for _ in 0..<count { window(of: duration, failing: failing, using: using) }
    }
}
