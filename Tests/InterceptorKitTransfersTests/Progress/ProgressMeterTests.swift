import Expectations
import TestSupport
import Testing

@testable import InterceptorKit
@testable import InterceptorKitTransfers

@Suite("ProgressMeter")
struct ProgressMeterTests {
    private func instant(_ seconds: Double) -> Runtime.Instant {
        Runtime.Instant(offset: .seconds(seconds))
    }

    private func speed(_ meter: ProgressMeter) -> Double { meter.progress.bytesPerSecond ?? -1 }

    @Test("is exact from the first sample, and follows a change within seconds")
    func smoothing() {
        var meter = ProgressMeter(at: instant(0))
        meter.report(1000, of: nil, at: instant(1))
        let first = speed(meter)
        for second in 2...10 { meter.report(second * 1000, of: nil, at: instant(Double(second))) }
        let steady = speed(meter)
        meter.report(10_100, of: nil, at: instant(11))
        let dip = speed(meter)
        for second in 12...40 {
            meter.report(10_000 + (second - 10) * 100, of: nil, at: instant(Double(second)))
        }

        expectTrue(abs(first - 1000) < 1)
        expectTrue(abs(steady - 1000) < 1)
        expectTrue(dip > 700 && dip < 950)
        expectTrue(speed(meter) < 150)
    }

    @Test("doesn't report a burst of chunks as speed")
    func burst() {
        var meter = ProgressMeter(at: instant(0))
        meter.report(1_000_000, of: nil, at: instant(0.001))
        let early = meter.progress
        meter.report(1_000_001, of: nil, at: instant(1))

        expectEqual(early.completedBytes, 1_000_000)
        expectEqual(early.bytesPerSecond, nil)
        expectTrue(abs(speed(meter) - 1_000_001) < 1)
    }

    @Test("counts neither bytes kept from before nor bytes sent again as speed")
    func restarts() {
        var meter = ProgressMeter(at: instant(0))
        meter.begin(with: 5000, of: 10_000, at: instant(1))
        meter.report(6000, of: 10_000, at: instant(2))
        let resumed = speed(meter)
        meter.report(0, of: 10_000, at: instant(3))
        let restarted = meter.progress
        meter.report(1000, of: 10_000, at: instant(4))

        expectTrue(abs(resumed - 1000) < 1)
        expectEqual(restarted.completedBytes, 0)
        expectTrue(abs(speed(meter) - 1000) < 1)
    }
}
