import InterceptorKit
import InterceptorKitAuthentication
import InterceptorKitConcurrency
import Synchronization
import TestSupport

/// A store that fails in one way at a time.
final class UnreliableStore: CredentialStore, RefreshTokenJournal {
    enum Operation: String, CaseIterable {
        case load, save, note
        /// What was saved, without saying so.
        case saved
    }

    private let kept: MemoryCredentialStore
    private let failing = Mutex<Operation?>(nil)
    private let cases: FleetCases

    init(_ runtime: Runtime, _ cases: FleetCases) {
        kept = MemoryCredentialStore(runtime: runtime)
        self.cases = cases
    }

    func fail(_ operation: Operation) { failing.withLock { $0 = operation } }
    func work() { failing.withLock { $0 = nil } }

    private func fail(at operation: Operation) throws {
        guard failing.withLock({ $0 == operation }) else { return }
        cases.note("store: \(operation)")
        throw Problem(text: "\(operation) failed")
    }

    func load() async throws -> CredentialRecord? {
        try fail(at: .load)
        return try await kept.load()
    }

    func save(
        _ credential: Credential,
        over version: CredentialRecord.Version?
    ) async throws -> CredentialRecord.Version? {
        try fail(at: .save)
        let saved = try await kept.save(credential, over: version)
        try fail(at: .saved)
        return saved
    }

    func clear() async throws { try await kept.clear() }

    func withLock<Result: Sendable>(
        _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        try await kept.withLock(body)
    }

    func recordUse(of refreshToken: HashAlgorithm.Digest) async throws {
        try fail(at: .note)
        try await kept.recordUse(of: refreshToken)
    }

    func withdrawUse(of refreshToken: HashAlgorithm.Digest) async throws {
        try await kept.withdrawUse(of: refreshToken)
    }
}
