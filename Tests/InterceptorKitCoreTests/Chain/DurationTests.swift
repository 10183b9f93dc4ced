import Expectations
import InterceptorKit
import TestSupport
import Testing

@Suite("Durations in seconds")
struct DurationTests {
    @Test(
        "are written with up to three decimals, without trailing zeros",
        arguments: [
            (Duration.seconds(30), "30 s"), (.seconds(0), "0 s"), (.milliseconds(50), "0.05 s"),
            (.milliseconds(1500), "1.5 s"), (.microseconds(1234), "0.001 s"),
            (.seconds(-2), "-2 s"), (.microseconds(213), "0.000213 s"),
            (.microseconds(20), "0.00002 s"),
            (.nanoseconds(999_999), "0.001 s"), (.nanoseconds(100), "0 s"),
        ]
    )
    func text(duration: Duration, expected: String) {
        expectEqual(duration.formattedSeconds, expected)
    }
}
