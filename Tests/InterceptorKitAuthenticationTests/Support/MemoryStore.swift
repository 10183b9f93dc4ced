import InterceptorKitAuthentication
import InterceptorKitConcurrency
import Synchronization
import TestSupport

@testable import InterceptorKit

/// A store in memory that several sources can share as processes do.
final class MemoryStore: CredentialStore {
    private struct State {
        var record: (credential: Credential, version: Int)?
        var lastVersion = 0
        var isFailing = false
        var isLocked = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Lock<State>

    init(_ credential: Credential? = nil) {
        state = Lock(State(record: credential.map { ($0, 0) }))
    }

    var token: String? { state.withLock { $0.record?.credential }?.token }
    var refreshToken: String? { state.withLock { $0.record?.credential.refreshToken } }

    func fail(_ isFailing: Bool) { state.withLock { $0.isFailing = isFailing } }

    func load() async throws -> CredentialRecord? {
        await Task.yield()
        return state.withLock { state in
            state.record.map { CredentialRecord($0.credential, version: .init("\($0.version)")) }
        }
    }

    func save(
        _ credential: Credential,
        over version: CredentialRecord.Version?
    ) async throws -> CredentialRecord.Version? {
        await Task.yield()
        return try state.withLock { state in
            if state.isFailing { throw Problem(text: "disk full") }
            guard state.record.map({ "\($0.version)" }) == version?.text else { return nil }
            state.lastVersion += 1
            state.record = (credential, state.lastVersion)
            return .init("\(state.lastVersion)")
        }
    }

    func clear() async throws {
        await Task.yield()
        state.withLock { $0.record = nil }
    }

    func withLock<Result: Sendable>(
        _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                defer { state.isLocked = true }
                if state.isLocked { state.waiters.append(continuation) }
                return !state.isLocked
            }
            if isFree { continuation.resume() }
        }
        defer { unlock() }
        return try await body()
    }

    private func unlock() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard state.waiters.isEmpty else { return state.waiters.removeFirst() }
            state.isLocked = false
            return nil
        }
        next?.resume()
    }
}
