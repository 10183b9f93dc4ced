import Expectations
import InterceptorKitConcurrency
import Synchronization
import TestSupport
import Testing

@testable import InterceptorKit
@testable import InterceptorKitAuthentication

@Suite("StoredCredentialSource, with other processes saving")
struct ContestedCredentialTests {
    @Test("uses the credential that another process saved during the refresh")
    func lostRace() async throws {
        let store = ContestedStore(savesInBetween: 1)
        let renewing = RefreshableCredentialSource { _ in .bearer("mine") }
        let source = StoredCredentialSource(in: store, refreshedBy: renewing)
        let loaded = try await source.load()

        let refreshed = try await source.refresh(loaded)

        expectEqual(refreshed?.token, "other 1")
        try await expectEqual(store.load()?.credential.token, "other 1")
    }

    @Test("saves a sign-in even if other processes save in between", arguments: [0, 1, 3])
    func contestedSignIn(saves: Int) async throws {
        let store = ContestedStore(savesInBetween: saves)
        let renewing = RefreshableCredentialSource { _ in nil }
        let source = StoredCredentialSource(in: store, refreshedBy: renewing)
        _ = try await source.load()

        try await source.replace(with: .bearer("mine"))

        try await expectEqual(store.load()?.credential.token, "mine")
    }
}

/// A store in which others save just before one does, so many times. Its lock keeps nobody out, as the
/// lock of every store that has none.
private final class ContestedStore: CredentialStore {
    private let base = MemoryCredentialStore(.bearer("t0"))
    private let rest: Lock<Int>

    init(savesInBetween count: Int) { rest = Lock(count) }

    func load() async throws -> CredentialRecord? { try await base.load() }

    func save(
        _ credential: Credential,
        over version: CredentialRecord.Version?
    ) async throws -> CredentialRecord.Version? {
        let number = rest.withLock { rest in
            rest -= 1
            return rest + 1
        }
        if number > 0 {
            let current = try await base.load()?.version
            _ = try await base.save(.bearer("other \(number)"), over: current)
        }
        return try await base.save(credential, over: version)
    }

    func clear() async throws { try await base.clear() }
}
