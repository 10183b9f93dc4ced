import TestSupport
import Testing

@testable import InterceptorKit

@Suite("Renewal, failing and repeated")
struct RenewalLimitTests: RenewalSuite {
    @Test("pauses the source 1 s after a failure, doubling to 60 s")
    func pauses() throws {
        var renewal = loaded()
        var now = 0.0
        for pause in [1.0, 2, 4, 8, 16, 32, 60, 60] {
            #expect(answer(&renewal, .newer(than: 1), after: now).hasPrefix("begin"))
            let job = try #require(renewal.running)
            #expect(finish(&renewal, job, .failure(Problem()), after: now) == "failed")
            let almost = answer(&renewal, .newer(than: 1), after: now + pause - 0.001)
            #expect(almost.hasPrefix("refuse"))
            now += pause
        }

        _ = answer(&renewal, .newer(than: 1), after: now)
        let job = try #require(renewal.running)
        _ = finish(&renewal, job, .success(.bearer("new")), after: now)
        #expect(answer(&renewal, .newer(than: 2), after: now).hasPrefix("begin"))
        let next = try #require(renewal.running)
        _ = finish(&renewal, next, .failure(Problem()), after: now)
        #expect(answer(&renewal, .newer(than: 2), after: now + 1).hasPrefix("begin"))
    }

    @Test("gives up a refresh after 60 s, and takes its late result if newest")
    func abandoned() throws {
        var renewal = loaded()
        _ = answer(&renewal, .newer(than: 1))
        let first = try #require(renewal.running)
        #expect(answer(&renewal, .newer(than: 1), after: 59.9) == "wait for 2")
        #expect(answer(&renewal, .newer(than: 1), after: 60) == "begin 3")
        let second = try #require(renewal.running)
        var other = renewal

        #expect(finish(&renewal, second, .success(.bearer("second")), after: 61) == "replaced")
        #expect(finish(&renewal, first, .success(.bearer("first")), after: 62) == "discarded")

        #expect(finish(&other, first, .success(.bearer("first")), after: 61) == "replaced")
        let end = TokenError(.signInRequired, "It was used before.")
        #expect(finish(&other, second, .failure(end), after: 62) == "kept")
        #expect(answer(&other, .usable, after: 62) == "use 2")
    }

    @Test("ignores the failure of a refresh that was given up")
    func abandonedFailure() throws {
        var renewal = loaded()
        _ = answer(&renewal, .newer(than: 1))
        let first = try #require(renewal.running)
        _ = answer(&renewal, .newer(than: 1), after: 60)

        #expect(finish(&renewal, first, .failure(Problem()), after: 61) == "discarded")
        #expect(answer(&renewal, .newer(than: 1), after: 61) == "wait for 3")
    }

    @Test("stops after ten refreshes a minute, until the first is a minute old")
    func excess() throws {
        var renewal = loaded()
        for version in 1...10 {
            let now = Double(version)
            #expect(answer(&renewal, .newer(than: version), after: now) == "begin \(version + 1)")
            let job = try #require(renewal.running)
            _ = finish(&renewal, job, .success(.bearer("t\(version)")), after: now)
        }
        var other = renewal
        // A new session may be luckier.
        _ = other.replace(with: .bearer("signed in"))

        #expect(answer(&renewal, .newer(than: 11), after: 60.9) == "refuse: excessiveRenewal")
        #expect(answer(&renewal, .newer(than: 11), after: 61) == "begin 12")
        #expect(renewal.window.count <= 10)
        #expect(answer(&other, .newer(than: 12), after: 11) == "begin 12")
    }
}
