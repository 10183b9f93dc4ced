import InterceptorKit
import Testing

@Suite("Backoff")
struct BackoffTests {
    @Test("doubles its upper end from the base to the cap")
    func doubling() {
        let backoff = Backoff(base: .milliseconds(50), cap: .seconds(1), jitter: .none)

        let delays = (1...7).map { backoff.delay(after: $0, fraction: 0) }

        #expect(delays == [50, 100, 200, 400, 800, 1000, 1000].map { .milliseconds($0) })
    }

    @Test("spreads over the whole span with full jitter and over its upper half with equal jitter")
    func jitter() {
        let full = Backoff(base: .seconds(1), jitter: .full)
        let equal = Backoff(base: .seconds(1), jitter: .equal)

        #expect(full.delay(after: 1, fraction: 0) == .zero)
        #expect(full.delay(after: 1, fraction: 0.75) == .milliseconds(750))
        #expect(equal.delay(after: 1, fraction: 0) == .milliseconds(500))
        #expect(equal.delay(after: 1, fraction: 0.5) == .milliseconds(750))
    }

    @Test(
        "stays at the cap however many failures there were",
        arguments: [64, 1000, 5000, Int.max]
    )
    func overflow(failures: Int) {
        let backoff = Backoff(jitter: .none)

        #expect(backoff.delay(after: failures, fraction: 1) == .seconds(20))
    }

    @Test("stays within bounds for odd numbers of failures", arguments: [0, -1, Int.min])
    func odd(failures: Int) {
        #expect(Backoff(jitter: .none).delay(after: failures, fraction: 1) == .milliseconds(50))
    }
}
