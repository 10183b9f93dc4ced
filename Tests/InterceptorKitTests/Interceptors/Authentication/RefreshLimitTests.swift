import TestSupport
import Testing

@testable import InterceptorKit

@Suite("Refresh, failing and repeated")
struct RefreshLimitTests: CredentialStateSuite {
    @Test("pauses the source 1 s after a failure, doubling to 60 s")
    func pauses() throws {
        var credentialState = loaded()
        var now = 0.0
        for pause in [1.0, 2, 4, 8, 16, 32, 60, 60] {
            #expect(action(&credentialState, .newer(than: 1), after: now).hasPrefix("begin"))
            let operation = try #require(credentialState.running)
            #expect(
                finish(&credentialState, operation, .failure(Problem()), after: now) == "failed"
            )
            let almost = action(&credentialState, .newer(than: 1), after: now + pause - 0.001)
            #expect(almost.hasPrefix("refuse"))
            now += pause
        }

        _ = action(&credentialState, .newer(than: 1), after: now)
        let operation = try #require(credentialState.running)
        _ = finish(&credentialState, operation, .success(.bearer("new")), after: now)
        #expect(action(&credentialState, .newer(than: 2), after: now).hasPrefix("begin"))
        let next = try #require(credentialState.running)
        _ = finish(&credentialState, next, .failure(Problem()), after: now)
        #expect(action(&credentialState, .newer(than: 2), after: now + 1).hasPrefix("begin"))
    }

    @Test("gives up a refresh after 60 s, and takes its late result if newest")
    func abandoned() throws {
        var credentialState = loaded()
        _ = action(&credentialState, .newer(than: 1))
        let first = try #require(credentialState.running)
        #expect(action(&credentialState, .newer(than: 1), after: 59.9) == "wait for 2")
        #expect(action(&credentialState, .newer(than: 1), after: 60) == "begin 3")
        let second = try #require(credentialState.running)
        var other = credentialState

        #expect(
            finish(&credentialState, second, .success(.bearer("second")), after: 61) == "replaced"
        )
        #expect(
            finish(&credentialState, first, .success(.bearer("first")), after: 62) == "discarded"
        )

        #expect(finish(&other, first, .success(.bearer("first")), after: 61) == "replaced")
        let end = TokenError(.signInRequired, "It was used before.")
        #expect(finish(&other, second, .failure(end), after: 62) == "kept")
        #expect(action(&other, .usable, after: 62) == "use 2")
    }

    @Test("ignores the failure of a refresh that was given up")
    func abandonedFailure() throws {
        var credentialState = loaded()
        _ = action(&credentialState, .newer(than: 1))
        let first = try #require(credentialState.running)
        _ = action(&credentialState, .newer(than: 1), after: 60)

        #expect(finish(&credentialState, first, .failure(Problem()), after: 61) == "discarded")
        #expect(action(&credentialState, .newer(than: 1), after: 61) == "wait for 3")
    }

    @Test("stops after ten refreshes a minute, until the first is a minute old")
    func excess() throws {
        var credentialState = loaded()
        for version in 1...10 {
            let now = Double(version)
            #expect(
                action(&credentialState, .newer(than: version), after: now)
                    == "begin \(version + 1)"
            )
            let operation = try #require(credentialState.running)
            _ = finish(&credentialState, operation, .success(.bearer("t\(version)")), after: now)
        }
        var other = credentialState
        // A new session may be luckier.
        _ = other.replace(with: .bearer("signed in"))

        #expect(
            action(&credentialState, .newer(than: 11), after: 60.9) == "refuse: excessiveRefresh"
        )
        #expect(action(&credentialState, .newer(than: 11), after: 61) == "begin 12")
        #expect(credentialState.window.count <= 10)
        #expect(action(&other, .newer(than: 12), after: 11) == "begin 12")
    }
}
