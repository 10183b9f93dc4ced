import Expectations
import TestSupport
import Testing

@testable import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("Refresh, failing and repeated")
struct RefreshLimitTests: CredentialStateSuite {
    @Test("pauses the source 1 s after a failure, doubling to 60 s")
    func pauses() throws {
        var credentialState = loaded()
        var now = 0.0
        for pause in [1.0, 2, 4, 8, 16, 32, 60, 60] {
            expectTrue(action(&credentialState, .newer(than: 1), after: now).hasPrefix("begin"))
            let operation = try unwrap(credentialState.running)
            expectEqual(
                finish(&credentialState, operation, .failure(Problem()), after: now),
                "failed"
            )
            let almost = action(&credentialState, .newer(than: 1), after: now + pause - 0.001)
            expectTrue(almost.hasPrefix("refuse"))
            now += pause
        }

        _ = action(&credentialState, .newer(than: 1), after: now)
        let operation = try unwrap(credentialState.running)
        _ = finish(&credentialState, operation, .success(.bearer("new")), after: now)
        expectTrue(action(&credentialState, .newer(than: 2), after: now).hasPrefix("begin"))
        let next = try unwrap(credentialState.running)
        _ = finish(&credentialState, next, .failure(Problem()), after: now)
        expectTrue(action(&credentialState, .newer(than: 2), after: now + 1).hasPrefix("begin"))
    }

    @Test("gives up a refresh after 60 s, and takes its late result if newest")
    func abandoned() throws {
        var credentialState = loaded()
        _ = action(&credentialState, .newer(than: 1))
        let first = try unwrap(credentialState.running)
        expectEqual(action(&credentialState, .newer(than: 1), after: 59.9), "wait for 2")
        expectEqual(action(&credentialState, .newer(than: 1), after: 60), "begin 3")
        let second = try unwrap(credentialState.running)
        var other = credentialState

        expectEqual(
            finish(&credentialState, second, .success(.bearer("second")), after: 61),
            "replaced"
        )
        expectEqual(
            finish(&credentialState, first, .success(.bearer("first")), after: 62),
            "discarded"
        )

        expectEqual(finish(&other, first, .success(.bearer("first")), after: 61), "replaced")
        let end = TokenError(.signInRequired, "It was used before.")
        expectEqual(finish(&other, second, .failure(end), after: 62), "kept")
        expectEqual(action(&other, .usable, after: 62), "use 2")
    }

    @Test("ignores the failure of a refresh that was given up")
    func abandonedFailure() throws {
        var credentialState = loaded()
        _ = action(&credentialState, .newer(than: 1))
        let first = try unwrap(credentialState.running)
        _ = action(&credentialState, .newer(than: 1), after: 60)

        expectEqual(finish(&credentialState, first, .failure(Problem()), after: 61), "discarded")
        expectEqual(action(&credentialState, .newer(than: 1), after: 61), "wait for 3")
    }

    @Test("stops after ten refreshes a minute, until the first is a minute old")
    func excess() throws {
        var credentialState = loaded()
        for version in 1...10 {
            let now = Double(version)
            expectEqual(
                action(&credentialState, .newer(than: version), after: now),
                "begin \(version + 1)"
            )
            let operation = try unwrap(credentialState.running)
            _ = finish(&credentialState, operation, .success(.bearer("t\(version)")), after: now)
        }
        var other = credentialState
        // A new session may be luckier.
        _ = other.replace(with: .bearer("signed in"))

        expectEqual(
            action(&credentialState, .newer(than: 11), after: 60.9),
            "refuse: excessiveRefresh"
        )
        expectEqual(action(&credentialState, .newer(than: 11), after: 61), "begin 12")
        expectEqual(action(&other, .newer(than: 12), after: 11), "begin 12")
    }

    @Test("goes on with credentials that live for a second")
    func shortLives() throws {
        var credentialState = loaded(expiringAfter: 1)
        for second in 1...60 {
            expectEqual(
                action(&credentialState, .usable, after: Double(second)),
                "begin \(second + 1)"
            )
            let operation = try unwrap(credentialState.running)
            let next = Credential.bearer(
                "t",
                expiresAt: start.addingTimeInterval(Double(second) + 1)
            )
            _ = finish(&credentialState, operation, .success(next), after: Double(second))
        }
    }
}
