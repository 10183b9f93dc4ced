import Expectations
import TestSupport
import Testing

@testable import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("Refresh")
struct CredentialStateTests: CredentialStateSuite {
    @Test("loads first, and makes others wait for it")
    func loading() {
        var credentialState = CredentialState(.standard)

        expectEqual(action(&credentialState, .usable), "begin 1")
        expectEqual(action(&credentialState, .usable), "wait for 1")
        expectEqual(action(&credentialState, .any), "wait for 1")
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
        var credentialState = loaded(expiringAfter: lifetime)
        var other = credentialState

        expectEqual(action(&credentialState, .usable), use)
        let operation = other.backgroundOperation(at: .start, start)
        expectEqual(operation?.id, ahead)
    }

    @Test("refreshes a rejected version once, and gives later rejections the new")
    func lateRejection() throws {
        var credentialState = loaded()

        expectEqual(action(&credentialState, .newer(than: 1)), "begin 2")
        expectEqual(action(&credentialState, .newer(than: 1)), "wait for 2")
        let operation = try unwrap(credentialState.running)
        expectEqual(finish(&credentialState, operation, .success(.bearer("new"))), "replaced")
        expectEqual(action(&credentialState, .newer(than: 1)), "use 2")
        expectEqual(action(&credentialState, .newer(than: 2)), "begin 3")
    }

    @Test("makes a call wait that begins while a rejected version is refreshed")
    func rejected() throws {
        var credentialState = loaded()
        expectEqual(action(&credentialState, .usable), "use 1")
        _ = action(&credentialState, .newer(than: 1))

        expectEqual(action(&credentialState, .usable), "wait for 2")
    }

    @Test("keeps the newest version rejected if an older one is rejected later")
    func rejectedOutOfOrder() throws {
        var credentialState = loaded(expiringAfter: 3600)
        _ = action(&credentialState, .newer(than: 1))
        _ = finish(
            &credentialState,
            try unwrap(credentialState.running),
            .success(.bearer("new"))
        )
        _ = action(&credentialState, .newer(than: 2))
        _ = action(&credentialState, .newer(than: 1))

        expectEqual(credentialState.stillAccepted(at: start)?.version, nil)
    }

    @Test("makes a forced refresh wait for one that begins later")
    func forced() throws {
        var credentialState = loaded()

        expectEqual(action(&credentialState, .newer(than: 1)), "begin 2")
        let first = try unwrap(credentialState.running)
        expectEqual(action(&credentialState, .fresh), "wait for 3")
        expectEqual(action(&credentialState, .fresh), "wait for 3")
        expectEqual(finish(&credentialState, first, .success(.bearer("new"))), "replaced, begin 3")
        let second = try unwrap(credentialState.running)
        expectEqual(action(&credentialState, .fresh), "wait for 4")
        expectEqual(
            finish(&credentialState, second, .success(.bearer("newer"))),
            "replaced, begin 4"
        )
    }

    @Test("refuses a forced refresh if the one before it failed")
    func forcedAfterFailure() throws {
        var credentialState = loaded()
        _ = action(&credentialState, .newer(than: 1))
        _ = action(&credentialState, .fresh)
        let operation = try unwrap(credentialState.running)

        expectEqual(
            finish(&credentialState, operation, .failure(Problem())),
            "failed, refuse the next"
        )
    }

    @Test(
        "uses a credential while it is accepted, although its refresh failed",
        arguments: [5.0, -5]
    )
    func stillAccepted(lifetime: Double) throws {
        var credentialState = loaded(expiringAfter: lifetime)
        _ = action(&credentialState, .usable)
        let operation = try unwrap(credentialState.running)
        _ = finish(&credentialState, operation, .failure(Problem()))

        expectEqual(credentialState.stillAccepted(at: start)?.version, (lifetime > 0 ? 1 : nil))
    }

    @Test("refreshes nothing after the session's end, and drops the rejected one")
    func sessionEnd() throws {
        var credentialState = loaded()
        _ = action(&credentialState, .newer(than: 1))
        let operation = try unwrap(credentialState.running)
        let end = TokenError(.signInRequired, "Sign in.")

        expectEqual(finish(&credentialState, operation, .failure(end)), "sessionEnded")
        expectEqual(action(&credentialState, .usable, after: 3600), "use 1 (none)")
        expectEqual(
            action(&credentialState, .newer(than: 1), after: 3600),
            "refuse: signInRequired"
        )
        expectEqual(action(&credentialState, .fresh, after: 3600), "refuse: signInRequired")
        expectTrue(credentialState.stillAccepted(at: start) == nil)
        _ = credentialState.replace(with: .bearer("next"))
        expectEqual(action(&credentialState, .usable), "use 2")
        expectEqual(action(&credentialState, .newer(than: 2)), "begin 3")
    }

    @Test("uses a credential until it expires although the session ended")
    func sessionEndAhead() throws {
        var credentialState = loaded(expiringAfter: 40)
        let ahead = credentialState.backgroundOperation(at: .start, start)
        let operation = try unwrap(ahead)
        _ = finish(&credentialState, operation, .failure(TokenError(.signInRequired, "Sign in.")))

        expectEqual(action(&credentialState, .usable, after: 39), "use 1")
        expectEqual(action(&credentialState, .usable, after: 40), "use 1 (none)")
    }

    @Test("discards the result of a refresh after a sign-in or sign-out", arguments: [true, false])
    func replaced(isSignIn: Bool) throws {
        var credentialState = loaded()
        _ = action(&credentialState, .newer(than: 1))
        let operation = try unwrap(credentialState.running)
        _ = credentialState.replace(with: isSignIn ? .bearer("other") : nil)

        expectEqual(finish(&credentialState, operation, .success(.bearer("late"))), "discarded")
        expectEqual(action(&credentialState, .usable), (isSignIn ? "use 2" : "use 2 (none)"))
        expectEqual(
            action(&credentialState, .newer(than: 1)),
            (isSignIn ? "use 2" : "use 2 (none)")
        )
    }

    @Test("asks a source that had no newer credential only after a rejection")
    func unrefreshable() throws {
        var credentialState = loaded(expiringAfter: -5)
        _ = action(&credentialState, .usable)
        let operation = try unwrap(credentialState.running)

        expectEqual(finish(&credentialState, operation, .success(nil)), "kept")
        expectEqual(action(&credentialState, .usable), "use 1")
        let ahead = credentialState.backgroundOperation(at: .start, start)
        expectTrue(ahead == nil)
        expectEqual(action(&credentialState, .newer(than: 1)), "begin 3")
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
        var credentialState = loaded()
        _ = action(&credentialState, .newer(than: 1))
        let operation = try unwrap(credentialState.running)

        expectEqual(finish(&credentialState, operation, .success(credential)), "failed")
        expectEqual(action(&credentialState, .newer(than: 1)), "refuse: invalidCredential")
        expectEqual(credentialState.cached?.version, 1)
        expectEqual(credentialState.cached?.credential?.fields.map(\.value), ["Bearer old"])
        expectEqual(
            credentialState.cached?.credential?.refreshToken,
            credential.refreshToken ?? "r0"
        )
    }

    @Test(
        "uses a new credential expired by the local clock until it is rejected",
        arguments: [0.0, -3600]
    )
    func skewed(lifetime: Double) throws {
        var credentialState = loaded()
        _ = action(&credentialState, .newer(than: 1))
        let operation = try unwrap(credentialState.running)
        let new = Credential.bearer("new", expiresAt: start.addingTimeInterval(lifetime))

        expectEqual(finish(&credentialState, operation, .success(new)), "replaced")
        expectEqual(action(&credentialState, .usable, after: 3600), "use 2")
        expectEqual(action(&credentialState, .newer(than: 2), after: 3600), "begin 3")
    }
}
