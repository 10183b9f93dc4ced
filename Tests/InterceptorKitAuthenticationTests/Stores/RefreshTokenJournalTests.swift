import Expectations
import Foundation
import InterceptorKit
import InterceptorKitAuthentication
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("RefreshTokenJournal, under a StoredCredentialSource")
struct RefreshTokenJournalTests {
    /// Refreshes by what a closure says, and notes which refresh tokens it was given.
    private struct Script: CredentialSource {
        let used = Recorder<String>()
        let answer: @Sendable (Int) throws -> Credential?

        func load() async throws -> Credential? { .bearer("a0", refreshToken: "r0") }

        func refresh(_ rejected: Credential?) async throws -> Credential? {
            used.note(rejected?.refreshToken ?? "-")
            return try answer(used.entries.count)
        }
    }

    private func refreshing(
        _ source: Script,
        in store: MemoryCredentialStore,
        times: Int = 1
    ) async throws -> [CredentialStoreError.Code?] {
        let stored = StoredCredentialSource(in: store, refreshedBy: source)
        var current = try await stored.load()
        var codes: [CredentialStoreError.Code?] = []
        for _ in 0..<times {
            do {
                current = try await stored.refresh(current) ?? current
                codes.append(nil)
            } catch let error as CredentialStoreError {
                codes.append(error.code)
            } catch {
                codes.append(CredentialStoreError.Code(description: "\(type(of: error))"))
            }
        }
        return codes
    }

    @Test("refreshes again and again, and uses each refresh token once")
    func rotation() async throws {
        let source = Script { .bearer("a\($0)", refreshToken: "r\($0)") }

        let codes = try await refreshing(source, in: MemoryCredentialStore(), times: 3)

        expectEqual(codes, [nil, nil, nil])
        expectEqual(source.used.entries, ["r0", "r1", "r2"])
    }

    @Test("doesn't send a refresh token again whose response was lost")
    func lostAnswer() async throws {
        let source = Script { _ in
            throw TransportError(.connectionLost, "The connection was lost.")
        }

        let codes = try await refreshing(source, in: MemoryCredentialStore(), times: 3)

        let unknown = CredentialStoreError.Code.refreshOutcomeUnknown
        expectEqual(codes, [unknown, unknown, unknown])
        expectEqual(source.used.entries, ["r0"])
    }

    @Test("doesn't send a refresh token again after an error of unknown meaning")
    func unknownError() async throws {
        let source = Script { _ in throw Problem() }

        let codes = try await refreshing(source, in: MemoryCredentialStore(), times: 2)

        expectEqual(codes, [.refreshOutcomeUnknown, .refreshOutcomeUnknown])
        expectEqual(source.used.entries, ["r0"])
    }

    @Test("sends a refresh token again that certainly wasn't used")
    func unused() async throws {
        let refused = try await answered(503)
        let source = Script { number in
            switch number {
            case 1: throw TransportError(.cannotConnect, "No.", isUnsent: true)
            case 2: throw refused
            case 3: return nil
            case 4: throw TurnedAway()
            default: return .bearer("a1", refreshToken: "r1")
            }
        }

        let codes = try await refreshing(source, in: MemoryCredentialStore(), times: 5)

        let expected = ["TransportError", "OAuthError", nil, "TurnedAway", nil]
        expectEqual(codes.map { $0?.description }, expected)
        expectEqual(source.used.entries, Array(repeating: "r0", count: 5))
    }

    @Test(
        "distrusts a refusal that may have come after the token was used",
        arguments: [500, 502, 504, 200]
    )
    func doubtful(status: Int) async throws {
        let refused = try await answered(status)
        let source = Script { _ in throw refused }

        let codes = try await refreshing(source, in: MemoryCredentialStore(), times: 2)

        expectEqual(codes, [.refreshOutcomeUnknown, .refreshOutcomeUnknown])
        expectEqual(source.used.entries, ["r0"])
    }

    @Test("asks for a sign-in once the token is refused, and continues after it")
    func refused() async throws {
        let error = try await answered(400, #"{"error":"invalid_grant"}"#)
        let source = Script { number in
            guard number > 1 else { throw error }
            return .bearer("b1", refreshToken: "s1")
        }
        let store = MemoryCredentialStore()

        let codes = try await refreshing(source, in: store, times: 2)
        let version = try await store.load()?.version
        _ = try await store.save(.bearer("b0", refreshToken: "s0"), over: version)
        let later = try await refreshing(source, in: store)

        expectEqual(codes, [.signInRequired, .signInRequired])
        expectEqual(later, [nil])
        expectEqual(source.used.entries, ["r0", "s0"])
    }

    @Test("refreshes without a log if there is no refresh token")
    func withoutRefreshToken() async throws {
        let source = Script { number in
            guard number > 1 else { throw TransportError(.connectionLost, "Lost.") }
            return .bearer("a\(number)")
        }
        let store = MemoryCredentialStore(.bearer("a0"))

        let codes = try await refreshing(source, in: store, times: 2)

        expectEqual(codes.map { $0?.description }, ["TransportError", nil])
    }

    /// As of a circuit breaker that is open.
    private struct TurnedAway: ClassifiedError {
        var classification: Classification {
            Classification(.rejected, reason: "rejected", isUnsent: true)
        }
    }

    /// The error of a token endpoint that answers so.
    private func answered(_ status: Int, _ text: String = "") async throws -> OAuthError {
        let transport = ScriptedTransport<HTTP.Request> { _, _ in
            HTTP.Response(HTTP.Status(status), body: .text(text))
        }
        let source = ClientCredentialsSource(at: try endpoint(transport))
        let error = await #expect(throws: OAuthError.self) { try await source.load() }
        return try unwrap(error)
    }
}
