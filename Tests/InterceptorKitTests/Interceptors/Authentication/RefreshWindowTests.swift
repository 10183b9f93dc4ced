import Expectations
import Testing

@testable import InterceptorKit

@Suite("RefreshWindow")
struct RefreshWindowTests {
    private func instant(_ seconds: Double) -> Runtime.Instant {
        Runtime.Instant(offset: .seconds(seconds))
    }

    @Test("is full from its limit on until its oldest is as old as it is long")
    func bounds() {
        var window = RefreshWindow(limit: 3, length: .seconds(60))

        window.note(instant(0))
        window.note(instant(10))
        expectTrue(!window.isFull(at: instant(10)))
        window.note(instant(20))

        expectTrue(window.isFull(at: instant(20)))
        expectTrue(window.isFull(at: instant(59.999)))
        expectTrue(!window.isFull(at: instant(60)))
    }
}
