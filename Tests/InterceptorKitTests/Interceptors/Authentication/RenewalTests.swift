import InterceptorKitTesting
import TestSupport
import Testing

@testable import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("Renewal")
struct RenewalTests: RenewalSuite {
    @Test("loads first, and makes others wait for it")
    func loading() {
        var renewal = Renewal(.standard)

        #expect(answer(&renewal, .usable) == "begin 1")
        #expect(answer(&renewal, .usable) == "wait for 1")
        #expect(answer(&renewal, .any) == "wait for 1")
    }

    @Test(
        "uses, refreshes early or refreshes first, by the time left",
        arguments: [
            (nil, "use 1", nil), (3600.0, "use 1", nil), (61, "use 1", nil), (60, "use 1", 2),
            (40, "use 1", 2), (10.5, "use 1", 2), (10, "begin 2", 2), (9, "begin 2", 2),
            (0, "begin 2", 2), (-86_400, "begin 2", 2),
        ] as [(Double?, String, Int?)]
    )
    func timeLeft(lifetime: Double?, use: String, ahead: Int?) {
        var renewal = loaded(expiringAfter: lifetime)
        var other = renewal

        #expect(answer(&renewal, .usable) == use)
        let job = other.jobAhead(at: .start, start)
        #expect(job?.id == ahead)
    }

    @Test(
        "draws margins within their bounds",
        arguments: [
            (nil, 0, 60, 10), (nil, 1, 45, 15), (nil, 0.5, 52.5, 12.5), (3600, 0, 60, 10),
            (40, 0, 20, 10), (40, 1, 20, 10), (8, 0, 4, 2),
        ] as [(Double?, Double, Double, Double)]
    )
    func margins(lifetime: Double?, fraction: Double, background: Double, blocking: Double) {
        let margins = RenewalMargins(.standard, lifetime: lifetime, fraction: fraction)

        #expect(margins.background == background)
        #expect(margins.blocking == blocking)
    }

    @Test("refreshes a rejected version once, and gives later rejections the new")
    func lateRejection() throws {
        var renewal = loaded()

        #expect(answer(&renewal, .newer(than: 1)) == "begin 2")
        #expect(answer(&renewal, .newer(than: 1)) == "wait for 2")
        let job = try #require(renewal.running)
        #expect(finish(&renewal, job, .success(.bearer("new"))) == "replaced")
        #expect(answer(&renewal, .newer(than: 1)) == "use 2")
        #expect(answer(&renewal, .newer(than: 2)) == "begin 3")
    }

    @Test("makes a call wait that begins while a rejected version is refreshed")
    func rejected() throws {
        var renewal = loaded()
        renewal.reject(1)
        #expect(answer(&renewal, .usable) == "use 1")
        _ = answer(&renewal, .newer(than: 1))

        #expect(answer(&renewal, .usable) == "wait for 2")
    }

    @Test("keeps the newest version rejected if an older one is rejected later")
    func rejectedOutOfOrder() throws {
        var renewal = loaded(expiringAfter: 3600)
        _ = answer(&renewal, .newer(than: 1))
        _ = finish(&renewal, try #require(renewal.running), .success(.bearer("new")))
        renewal.reject(2)
        renewal.reject(1)

        #expect(renewal.lastResort(at: start)?.version == nil)
    }

    @Test("makes a forced refresh wait for one that begins later")
    func forced() throws {
        var renewal = loaded()

        #expect(answer(&renewal, .newer(than: 1)) == "begin 2")
        let first = try #require(renewal.running)
        #expect(answer(&renewal, .fresh) == "wait for 3")
        #expect(answer(&renewal, .fresh) == "wait for 3")
        #expect(finish(&renewal, first, .success(.bearer("new"))) == "replaced, begin 3")
        let second = try #require(renewal.running)
        #expect(answer(&renewal, .fresh) == "wait for 4")
        #expect(finish(&renewal, second, .success(.bearer("newer"))) == "replaced, begin 4")
    }

    @Test("refuses a forced refresh if the one before it failed")
    func forcedAfterFailure() throws {
        var renewal = loaded()
        _ = answer(&renewal, .newer(than: 1))
        _ = answer(&renewal, .fresh)
        let job = try #require(renewal.running)

        #expect(finish(&renewal, job, .failure(Problem())) == "failed, refuse the next")
    }

    @Test(
        "uses a credential while it is accepted, although its refresh failed",
        arguments: [5.0, -5]
    )
    func lastResort(lifetime: Double) throws {
        var renewal = loaded(expiringAfter: lifetime)
        _ = answer(&renewal, .usable)
        let job = try #require(renewal.running)
        _ = finish(&renewal, job, .failure(Problem()))

        #expect(renewal.lastResort(at: start)?.version == (lifetime > 0 ? 1 : nil))
    }

    @Test("refreshes nothing after the session's end, and drops the rejected one")
    func sessionEnd() throws {
        var renewal = loaded()
        renewal.reject(1)
        _ = answer(&renewal, .newer(than: 1))
        let job = try #require(renewal.running)
        let end = TokenError(.signInRequired, "Sign in.")

        #expect(finish(&renewal, job, .failure(end)) == "sessionEnded")
        #expect(answer(&renewal, .usable, after: 3600) == "use 1 (none)")
        #expect(answer(&renewal, .newer(than: 1), after: 3600) == "refuse: signInRequired")
        #expect(answer(&renewal, .fresh, after: 3600) == "refuse: signInRequired")
        #expect(renewal.lastResort(at: start) == nil)
        _ = renewal.replace(with: .bearer("next"))
        #expect(answer(&renewal, .usable) == "use 2")
        #expect(answer(&renewal, .newer(than: 2)) == "begin 3")
    }

    @Test("uses a credential until it expires although the session ended")
    func sessionEndAhead() throws {
        var renewal = loaded(expiringAfter: 40)
        let ahead = renewal.jobAhead(at: .start, start)
        let job = try #require(ahead)
        _ = finish(&renewal, job, .failure(TokenError(.signInRequired, "Sign in.")))

        #expect(answer(&renewal, .usable, after: 39) == "use 1")
        #expect(answer(&renewal, .usable, after: 40) == "use 1 (none)")
    }

    @Test("discards the result of a refresh after a sign-in or sign-out", arguments: [true, false])
    func replaced(isSignIn: Bool) throws {
        var renewal = loaded()
        _ = answer(&renewal, .newer(than: 1))
        let job = try #require(renewal.running)
        _ = renewal.replace(with: isSignIn ? .bearer("other") : nil)

        #expect(finish(&renewal, job, .success(.bearer("late"))) == "discarded")
        #expect(answer(&renewal, .usable) == (isSignIn ? "use 2" : "use 2 (none)"))
        #expect(answer(&renewal, .newer(than: 1)) == (isSignIn ? "use 2" : "use 2 (none)"))
    }

    @Test("asks a source that had no newer credential only after a rejection")
    func barren() throws {
        var renewal = loaded(expiringAfter: -5)
        _ = answer(&renewal, .usable)
        let job = try #require(renewal.running)

        #expect(finish(&renewal, job, .success(nil)) == "kept")
        #expect(answer(&renewal, .usable) == "use 1")
        let ahead = renewal.jobAhead(at: .start, start)
        #expect(ahead == nil)
        #expect(answer(&renewal, .newer(than: 1)) == "begin 3")
    }

    @Test(
        "refuses an invalid credential, and keeps the old with the newest token",
        arguments: [
            .bearer("new\r\nX: y", refreshToken: "r1"), .bearer("new\u{7F}", refreshToken: "r1"),
            .bearer("", refreshToken: "r1"), .header("X Key", "new"),
            .bearer("new", expiresAt: Date(timeIntervalSince1970: .infinity)),
            .bearer("new", expiresAt: Date(timeIntervalSince1970: -.infinity)),
            .bearer("new", expiresAt: Date(timeIntervalSince1970: .nan)),
            .bearer("new", expiresAt: Date(timeIntervalSince1970: 1e300), refreshToken: "r1"),
        ] as [Credential]
    )
    func unusable(credential: Credential) throws {
        var renewal = loaded()
        _ = answer(&renewal, .newer(than: 1))
        let job = try #require(renewal.running)

        #expect(finish(&renewal, job, .success(credential)) == "failed")
        #expect(answer(&renewal, .newer(than: 1)) == "refuse: invalidCredential")
        #expect(renewal.held?.version == 1)
        #expect(renewal.held?.credential?.fields.map(\.value) == ["Bearer old"])
        #expect(renewal.held?.credential?.refreshToken == credential.refreshToken ?? "r0")
    }

    @Test(
        "uses a new credential expired by the local clock until it is rejected",
        arguments: [0.0, -3600]
    )
    func skewed(lifetime: Double) throws {
        var renewal = loaded()
        _ = answer(&renewal, .newer(than: 1))
        let job = try #require(renewal.running)
        let new = Credential.bearer("new", expiresAt: start.addingTimeInterval(lifetime))

        #expect(finish(&renewal, job, .success(new)) == "replaced")
        #expect(answer(&renewal, .usable, after: 3600) == "use 2")
        #expect(answer(&renewal, .newer(than: 2), after: 3600) == "begin 3")
    }

    @Test("treats a source's cancellation as failure, not as the caller's")
    func cancelledElsewhere() throws {
        var renewal = loaded()
        _ = answer(&renewal, .newer(than: 1))
        let job = try #require(renewal.running)
        _ = finish(&renewal, job, .failure(CancellationError()))

        #expect(answer(&renewal, .newer(than: 1)) == "refuse: renewalCancelled")
    }

    @Test(
        "refuses invalid settings",
        arguments: [
            { $0.limit = 0 }, { $0.window = .zero }, { $0.waitLimit = .zero },
            { $0.abandonment = .seconds(1) }, { $0.blockingMargin = .seconds(-1) },
            { $0.backgroundMargin = .seconds(5) },
        ] as [@Sendable (inout RenewalPolicy) -> Void]
    )
    func invalidPolicy(change: @Sendable (inout RenewalPolicy) -> Void) throws {
        var policy = RenewalPolicy.standard
        try policy.validate()
        change(&policy)

        let error = #expect(throws: TokenError.self) { try policy.validate() }
        #expect(error?.code == .invalidPolicy)
    }
}
