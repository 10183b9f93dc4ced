import Foundation
import InterceptorKit
import InterceptorKitAuthentication
import InterceptorKitConcurrency
import Synchronization

/// A store in whose second refresh its process is ended, at a moment that nothing is lost at.
final class MortalStore: CredentialStore, RefreshTokenJournal {
    typealias Kept = any CredentialStore & RefreshTokenJournal

    private let kept: Kept
    private let moment: String
    private let refreshes = Lock(0)

    init(_ kept: Kept, dying moment: String) {
        self.kept = kept
        self.moment = moment
    }

    func load() async throws -> CredentialRecord? { try await kept.load() }

    func save(
        _ credential: Credential,
        over version: CredentialRecord.Version?
    ) async throws -> CredentialRecord.Version? {
        let saved = try await kept.save(credential, over: version)
        if saved != nil { die(at: "saved") }
        return saved
    }

    func clear() async throws { try await kept.clear() }

    func withLock<Result: Sendable>(
        _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        try await kept.withLock {
            refreshes.withLock { $0 += 1 }
            die(at: "locked")
            return try await body()
        }
    }

    func recordUse(of refreshToken: HashAlgorithm.Digest) async throws {
        try await kept.recordUse(of: refreshToken)
    }

    func withdrawUse(of refreshToken: HashAlgorithm.Digest) async throws {
        try await kept.withdrawUse(of: refreshToken)
    }

    private func die(at moment: String) {
        guard moment == self.moment, refreshes.withLock({ $0 >= 2 }) else { return }
        kill(getpid(), SIGKILL)
    }
}
