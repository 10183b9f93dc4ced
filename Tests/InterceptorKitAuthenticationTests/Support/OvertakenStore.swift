import InterceptorKit
import InterceptorKitAuthentication
import InterceptorKitConcurrency
import Synchronization
import TestSupport

/// A store in which another process signs in just before a refresh token is noted.
struct OvertakenStore: CredentialStore, RefreshTokenJournal {
    private let kept = MemoryCredentialStore(.bearer("a0", refreshToken: "r0"))

    func load() async throws -> CredentialRecord? { try await kept.load() }

    func save(
        _ credential: Credential,
        over version: CredentialRecord.Version?
    ) async throws -> CredentialRecord.Version? {
        try await kept.save(credential, over: version)
    }

    func clear() async throws { try await kept.clear() }

    func withLock<Result: Sendable>(
        _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        try await kept.withLock(body)
    }

    func recordUse(of refreshToken: HashAlgorithm.Digest) async throws {
        let version = try await kept.load()?.version
        _ = try await kept.save(.bearer("b0", refreshToken: "other"), over: version)
        try await kept.recordUse(of: refreshToken)
    }

    func withdrawUse(of refreshToken: HashAlgorithm.Digest) async throws {
        try await kept.withdrawUse(of: refreshToken)
    }
}
