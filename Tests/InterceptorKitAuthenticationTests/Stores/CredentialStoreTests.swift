import Expectations
import Foundation
import InterceptorKit
import InterceptorKitAuthentication
import InterceptorKitConcurrency
import InterceptorKitTesting
import Synchronization
import TestSupport
import Testing

/// The stores that must behave alike.
enum StoreKind: String, CaseIterable, Sendable {
    case memory, file

    func make(
        in folder: Folder,
        _ runtime: Runtime = .live
    ) -> any CredentialStore & RefreshTokenJournal {
        switch self {
        case .memory: MemoryCredentialStore(runtime: runtime)
        case .file: CredentialFile(folder["credential"], runtime: runtime)
        }
    }
}

@Suite("CredentialStore and RefreshTokenJournal")
struct CredentialStoreTests {
    private let digest = HashAlgorithm.sha256.hash("r0".utf8)

    @Test("saves only over the expected version, and clears", arguments: StoreKind.allCases)
    func versions(kind: StoreKind) async throws {
        let folder = try Folder()
        let store = kind.make(in: folder)
        let expiry = Date(timeIntervalSince1970: 1_700_000_000)

        try await expectTrue(store.load() == nil)
        try await expectEqual(store.save(.bearer("a"), over: .init("x")), nil)
        let credential = Credential.bearer("a0", expiresAt: expiry, refreshToken: "r0")
        let first = try await unwrap(store.save(credential, over: nil))
        try await expectEqual(store.save(.bearer("b"), over: nil), nil)
        let second = try await unwrap(store.save(.bearer("a1"), over: first))
        try await expectEqual(store.save(.bearer("b"), over: first), nil)

        let record = try await unwrap(store.load())
        expectEqual(record.version, second)
        expectTrue(second != first)
        expectEqual(record.credential.refreshToken, nil)

        try await store.clear()
        try await expectTrue(store.load() == nil)
        try await expectTrue(store.save(credential, over: nil) != nil)
        let restored = try await unwrap(store.load()).credential
        expectEqual(restored.expiresAt, expiry)
        expectEqual(restored.refreshToken, "r0")
    }

    @Test("keeps what is attached through a refresh", arguments: StoreKind.allCases)
    func attachment(kind: StoreKind) async throws {
        let folder = try Folder()
        let store = kind.make(in: folder)
        let source = StoredCredentialSource(
            in: store,
            refreshedBy: RefreshableCredentialSource { _ in .bearer("a1", refreshToken: "r1") }
        )
        let signedIn = Credential.bearer("a0", refreshToken: "r0")

        try await source.replace(with: signedIn.attaching(["tenant": "t7"]))
        let refreshed = try await source.refresh(signedIn)

        let stored = try await store.load()?.credential
        expectEqual(stored?.refreshToken, "r1")
        for credential in [refreshed, stored] {
            try expectEqual(credential?.attachment(as: [String: String].self), ["tenant": "t7"])
        }
    }

    @Test(
        "logs the use of a refresh token once, until it is saved or withdrawn",
        arguments: StoreKind.allCases
    )
    func notes(kind: StoreKind) async throws {
        let folder = try Folder()
        let store = kind.make(in: folder)
        let other = HashAlgorithm.sha256.hash("r1".utf8)
        let first = try await store.save(.bearer("a0", refreshToken: "r0"), over: nil)

        try await store.recordUse(of: digest)
        for _ in 0..<2 {
            let error = await #expect(throws: CredentialStoreError.self) {
                try await store.recordUse(of: digest)
            }
            expectEqual(error?.code, .refreshOutcomeUnknown)
            expectEqual(error?.requiresSignIn, true)
        }
        try await store.withdrawUse(of: other)
        await #expect(throws: CredentialStoreError.self) { try await store.recordUse(of: digest) }
        try await store.withdrawUse(of: digest)
        try await store.recordUse(of: digest)
        _ = try await store.save(.bearer("a1", refreshToken: "r1"), over: first)
        try await store.recordUse(of: other)
    }

    @Test(
        "refuses to use a refresh token that another has replaced",
        arguments: StoreKind.allCases
    )
    func superseded(kind: StoreKind) async throws {
        let folder = try Folder()
        let store = kind.make(in: folder)
        func failure() async -> CredentialStoreError.Code? {
            do {
                try await store.recordUse(of: digest)
                return nil
            } catch {
                return (error as? CredentialStoreError)?.code
            }
        }

        await expectEqual(failure(), .superseded)
        let first = try await store.save(.bearer("a0", refreshToken: "r0"), over: nil)
        try await store.recordUse(of: digest)
        // Someone signs in, and a process that was about to refresh knows nothing of it.
        _ = try await store.save(.bearer("b0", refreshToken: "s0"), over: first)
        await expectEqual(failure(), .superseded)
        try await store.clear()
        await expectEqual(failure(), .superseded)
    }

    @Test("admits one task at a time to its lock", arguments: StoreKind.allCases)
    func exclusive(kind: StoreKind) async throws {
        try await onEverySeed(0..<30) { simulation in
            let folder = try Folder()
            let store = kind.make(in: folder, simulation.runtime)
            let inside = Recorder<Int>()
            try await withThrowingTaskGroup { group in
                for _ in 0..<8 {
                    group.addTask {
                        try await store.withLock {
                            inside.note(1)
                            try await simulation.runtime.sleep(for: .milliseconds(20))
                            inside.note(-1)
                        }
                    }
                }
                try await group.waitForAll()
            }
            try requireEqual(inside.entries, (0..<16).map { $0.isMultiple(of: 2) ? 1 : -1 })
        }
    }

    @Test(
        "waits for a lock no longer than allowed, and stops when cancelled",
        arguments: StoreKind.allCases
    )
    func lockTimeout(kind: StoreKind) async throws {
        try await onEverySeed(0..<30) { simulation in
            let folder = try Folder()
            let store = kind.make(in: folder, simulation.runtime)
            try await store.withLock {
                let began = simulation.now
                do {
                    try await store.withLock {}
                    try require(Bool(false))
                } catch let error as CredentialStoreError {
                    try requireEqual(error.code, .lockTimedOut)
                }
                let waited = began.duration(to: simulation.now)
                try require(waited <= .seconds(60) && waited > .seconds(59))

                let waiting = Task.child(in: simulation) { try await store.withLock {} }
                try await simulation.runtime.sleep(for: .seconds(1))
                waiting.cancel()
                let result = await waiting.result
                try #require(throws: CancellationError.self) { try result.get() }
            }
            // Free again, also after what was thrown inside.
            do {
                try await store.withLock { throw Problem() }
            } catch is Problem {}
            try await store.withLock {}
        }
    }
}
