import Expectations
import TestSupport
import Testing

@testable import InterceptorKit
@testable import InterceptorKitCaching

@Suite("InFlightFetches")
struct InFlightFetchesTests {
    private func key(_ number: Int) -> CacheKey { CacheKey(url: "https://a.example/\(number)") }

    @Test("remembers only the last keys that aren't worth waiting for")
    func bound() {
        let fetches = InFlightFetches()

        var most = 0
        for number in 0..<5000 {
            fetches.noteUnstorable(key(number))
            fetches.noteUnstorable(key(number))
            expectTrue(!fetches.isWorthWaiting(for: key(number)))
            if number % 500 == 499 {
                most = max(most, (0...number).count { !fetches.isWorthWaiting(for: key($0)) })
            }
        }

        expectTrue(512...1024 ~= most)
        expectTrue((4600..<5000).allSatisfy { !fetches.isWorthWaiting(for: key($0)) })
        expectTrue(fetches.isWorthWaiting(for: key(0)))
    }

    @Test("forgets only the key whose response could be stored")
    func storable() {
        let fetches = InFlightFetches()
        for number in 0..<3 { fetches.noteUnstorable(key(number)) }

        fetches.noteStorable(key(1))
        fetches.noteStorable(key(7))

        expectEqual((0..<3).map { fetches.isWorthWaiting(for: key($0)) }, [false, true, false])
        for number in 0..<1024 { fetches.noteUnstorable(key(10 + number)) }
        expectTrue(fetches.isWorthWaiting(for: key(0)))
        expectTrue(!fetches.isWorthWaiting(for: key(1033)))
    }
}
