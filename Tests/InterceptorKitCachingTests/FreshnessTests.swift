import Expectations
import Testing

@testable import InterceptorKit
@testable import InterceptorKitCaching

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("Freshness")
struct FreshnessTests {
    // Mon, 06 Nov 2000 10:40:00 GMT.
    private static let sent = Date(timeIntervalSince1970: 973_507_200)

    /// Of a response that came ten seconds after its request was sent.
    private func freshness(
        _ headers: HTTP.Headers,
        after seconds: Double = 0,
        _ policy: CachePolicy = CachePolicy()
    ) -> Freshness {
        let stored = StoredResponse(
            id: 1,
            key: CacheKey(url: "https://a.example/"),
            status: 200,
            headers: headers,
            requestDate: Self.sent,
            responseDate: Self.sent + 10
        )
        return Freshness(stored, now: stored.responseDate + seconds, policy: policy)
    }

    @Test("an age is the larger of what the fields and the clock say, and grows")
    func age() {
        expectEqual(freshness([:], after: 7).age, 17)
        expectEqual(freshness(["Age": "5"], after: 7).age, 22)
        expectEqual(freshness(["Date": HTTP.text(for: Self.sent - 90)], after: 7).age, 107)
        expectEqual(
            freshness(["Date": HTTP.text(for: Self.sent - 90), "Age": "95"], after: 7).age,
            112
        )
        expectEqual(freshness(["Date": HTTP.text(for: Self.sent + 90)], after: 7).age, 17)
    }

    @Test("a clock that was set back by more than five seconds makes it stale")
    func clockSetBack() {
        let fields: HTTP.Headers = ["Cache-Control": "max-age=60"]

        expectEqual(freshness(fields, after: -5).age, 10)
        expectTrue(!freshness(fields, after: -5.1).isFresh)
        expectEqual(freshness(fields, after: -5.1).staleness, .infinity)
    }

    @Test("an age is stated as a number that every recipient can hold")
    func statedAge() {
        expectEqual(freshness(["Age": "5"], after: 0.9).statedAge, 15)
        expectEqual(freshness(["Age": "99999999999999999999"]).statedAge, 2_147_483_648)
        expectEqual(freshness([:], after: -6).statedAge, 2_147_483_648)
    }

    @Test("a lifetime is guessed within the bounds of the policy")
    func guess() {
        let unchanged: HTTP.Headers = ["Last-Modified": HTTP.text(for: Self.sent - 990)]
        func lifetime(_ headers: HTTP.Headers, _ policy: CachePolicy) -> Double {
            freshness(headers, after: 0, policy).lifetime
        }

        expectEqual(lifetime(unchanged, CachePolicy(heuristicFraction: 0.5)), 500)
        expectEqual(lifetime(unchanged, CachePolicy(heuristicFraction: 0)), 0)
        let short = CachePolicy(heuristicFraction: 1, heuristicLimit: .seconds(60))
        expectEqual(lifetime(unchanged, short), 60)
        let later: HTTP.Headers = ["Last-Modified": HTTP.text(for: Self.sent + 990)]
        expectEqual(lifetime(later, short), 0)
    }
}
