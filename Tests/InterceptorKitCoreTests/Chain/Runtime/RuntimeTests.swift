import Expectations
import InterceptorKit
import TestSupport
import Testing

@Suite("Runtime.live")
struct RuntimeTests {
    @Test("agrees with the continuous clock")
    func clock() {
        let clock = ContinuousClock()
        let before = clock.now
        let first = Runtime.live.now
        let began = clock.now
        while began.duration(to: clock.now) < .milliseconds(2) {}
        let least = began.duration(to: clock.now)

        let measured = first.duration(to: Runtime.live.now)

        expectTrue(measured >= least)
        expectTrue(measured <= before.duration(to: clock.now))
    }
}
