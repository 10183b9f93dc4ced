import Expectations
import InterceptorKit
import TestSupport
import Testing

@testable import InterceptorKitCore

@Suite("LimitEstimate")
struct LimitEstimateTests {
    @Test("starts at 20")
    func initial() {
        expectEqual(Run().estimate.permits, 20)
    }

    @Test("grows by a quarter a round trip before the first timeout, if used")
    func start() {
        var run = Run()

        for _ in 0..<20 { run.add(.success, inFlight: 20) }
        let used = run.estimate.limit
        for _ in 0..<100 { run.add(.success, inFlight: 3) }

        expectTrue((24.5...25.5).contains(used))
        expectEqual(run.estimate.limit, used)
    }

    @Test("ignores a timeout now and then")
    func single() {
        var run = Run()

        for _ in 0..<20 {
            run.add(.timeout, inFlight: 20)
            for _ in 0..<9 { run.add(.success, inFlight: 1) }
        }

        expectEqual(run.estimate.limit, 20)
    }

    @Test("leaves seven tenths of what was in flight when timeouts are frequent")
    func cut() {
        var run = Run()

        run.add(.timeout, inFlight: 10)
        run.add(.timeout, inFlight: 10)

        expectTrue(abs(run.estimate.limit - 7) < 1e-9)
    }

    @Test("cuts once for the timeouts of one round trip")
    func once() {
        var run = Run()
        for _ in 0..<2 { run.add(.timeout, inFlight: 10) }

        for _ in 0..<5 { run.add(.timeout, inFlight: 10, later: .milliseconds(10)) }

        expectTrue(abs(run.estimate.limit - 7) < 1e-9)
    }

    @Test("learns nothing from timeouts with no other attempt in flight")
    func alone() {
        var run = Run()

        for _ in 0..<10 { run.add(.timeout, inFlight: 1) }

        expectEqual(run.estimate.limit, 20)
        expectEqual(run.estimate.recent.timeouts, 10)
        expectEqual(run.estimate.recent.outcomes, 10)
    }

    @Test("never falls below what was just served well")
    func served() {
        var run = Run()

        for _ in 0..<50 {
            for _ in 0..<3 { run.add(.success, inFlight: 8, lasting: .milliseconds(20)) }
            for _ in 0..<2 { run.add(.timeout, inFlight: 8) }
        }

        expectTrue(run.estimate.limit > 7.5)
    }

    @Test("keeps a lower bound above one")
    func bound() {
        var settings = AdaptiveConcurrencyLimit()
        settings.range = 5...30
        var run = Run(settings)

        for _ in 0..<30 { run.add(.timeout, inFlight: 3) }
        let least = run.estimate.limit
        run.now = run.now.advanced(by: .seconds(60))
        for _ in 0..<500 { run.add(.success, inFlight: 30) }

        expectEqual(least, 5)
        expectEqual(run.estimate.limit, 30)
    }

    @Test("grows faster the longer nothing has timed out")
    func acceleration() {
        func growth(after pause: Duration) -> Double {
            var run = Run()
            for _ in 0..<2 { run.add(.timeout, inFlight: 10) }
            run.now = run.now.advanced(by: pause)
            let before = run.estimate.limit
            run.add(.success, inFlight: 10, lasting: .milliseconds(50))
            return run.estimate.limit - before
        }

        expectTrue(abs(growth(after: .seconds(1)) - 0.5 / 7) < 1e-9)
        expectTrue(growth(after: .seconds(10)) > 3 * growth(after: .seconds(1)))
    }

    @Test("does not grow while answers take nearly the time that was too long")
    func nearLimit() {
        var run = Run()
        for _ in 0..<2 { run.add(.timeout, inFlight: 10) }

        for _ in 0..<10 { run.add(.success, inFlight: 10, lasting: .milliseconds(400)) }
        let slow = run.estimate.limit
        for _ in 0..<20 { run.add(.success, inFlight: 10, lasting: .milliseconds(50)) }

        expectTrue(abs(slow - 7) < 1e-9)
        expectTrue(run.estimate.limit > slow)
    }

    @Test("is not changed by failures that come at once while others succeed")
    func failures() {
        var run = Run()

        for _ in 0..<50 {
            for _ in 0..<4 { run.add(.failure, inFlight: 1, later: .milliseconds(100)) }
            run.add(.success, inFlight: 1)
        }

        expectEqual(run.estimate.limit, 20)
        expectEqual(run.estimate.nextProbe, nil)
    }

    @Test("probes a server that is silent for twice its usual time, every 250 ms")
    func probing() {
        func silence(after latency: Duration) -> Duration? {
            var run = Run()
            run.add(.success, inFlight: 1, lasting: latency)
            let answered = run.now
            run.add(.timeout, inFlight: 4)
            return run.estimate.nextProbe.map { answered.duration(to: $0) }
        }
        var run = Run()
        run.add(.timeout, inFlight: 4)
        run.estimate.probe(at: run.now.advanced(by: .seconds(5)))

        expectEqual(silence(after: .milliseconds(20)), .seconds(1))
        expectEqual(silence(after: .seconds(4)), .seconds(8))
        expectEqual(run.estimate.nextProbe, run.now.advanced(by: .milliseconds(5250)))
    }

    @Test("learns nothing from a cancelled attempt, and keeps its bounds")
    func anything() {
        var random = SplitMix64(seed: 1)
        var run = Run()
        run.add(.unknown, inFlight: 1)
        expectEqual(run.estimate.limit, 20)

        for _ in 0..<20_000 {
            let outcomes: [LimitEstimate.Outcome] = [
                .success, .success, .success, .timeout, .timeout, .failure, .failure, .unknown,
            ]
            let draw = random.next()
            run.add(
                outcomes[Int(draw % 8)],
                inFlight: Int((draw >> 8) % 2000),
                lasting: .milliseconds(Int((draw >> 20) % 3000)),
                later: .milliseconds(Int((draw >> 40) % 500))
            )
            guard (1...1000).contains(run.estimate.limit) else {
                Issue.record("The limit is \(run.estimate.limit).")
                return
            }
        }
    }

    @Test(
        "refuses invalid numbers",
        arguments: [
            Refusal({ $0.range = 0...5 }, "range.lowerBound is 0 and must be at least 1."),
            Refusal({ $0.range = 30...50 }, "initial is 20 and must be from 30 to 50."),
            Refusal({ $0.initial = -1 }, "initial is -1 and must be from 1 to 1000."),
            Refusal({ $0.queueLimit = -1 }, "queueLimit is -1"),
            Refusal({ $0.maxWait = .zero }, "maxWait is 0 s"),
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

        expectEqual(error?.message.contains(refusal.text), true)
    }
}

/// Attempts one after the other.
private struct Run {
    var estimate: LimitEstimate
    var now = Runtime.Instant(offset: .zero)

    init(_ settings: AdaptiveConcurrencyLimit = AdaptiveConcurrencyLimit()) {
        estimate = LimitEstimate(settings: settings)
    }

    mutating func add(
        _ outcome: LimitEstimate.Outcome,
        inFlight: Int,
        lasting duration: Duration = .milliseconds(500),
        later pause: Duration = .milliseconds(500)
    ) {
        now = now.advanced(by: pause)
        estimate.add(outcome, lasting: duration, inFlight: inFlight, at: now)
    }
}
