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

    @Test("slides with each further one, and keeps no more than its limit")
    func slides() {
        var window = RefreshWindow(limit: 3, length: .seconds(60))

        for second in stride(from: 0.0, through: 60, by: 10) { window.note(instant(second)) }

        expectEqual(window.count, 3)
        expectTrue(window.isFull(at: instant(99.999)))
        expectTrue(!window.isFull(at: instant(100)))
    }

    @Test("is full after one if its limit is one")
    func one() {
        var window = RefreshWindow(limit: 1, length: .seconds(1))
        expectTrue(!window.isFull(at: instant(0)))

        window.note(instant(0))

        expectTrue(window.isFull(at: instant(0.5)))
        expectTrue(!window.isFull(at: instant(1)))
    }
}
