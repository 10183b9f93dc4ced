import Expectations
import InterceptorKit
import InterceptorKitAuthentication
import Testing

/// What it does beside what all stores do alike.
@Suite("MemoryCredentialStore")
struct MemoryCredentialStoreTests {
    private let digest = HashAlgorithm.sha256.hash("r0".utf8)

    @Test("begins with a credential, which only its own version may replace")
    func initial() async throws {
        let store = MemoryCredentialStore(.bearer("a0", refreshToken: "r0"))

        let record = try await unwrap(store.load())
        expectEqual(record.credential.refreshToken, "r0")
        try await expectEqual(store.save(.bearer("b"), over: nil), nil)
        let saved = try await unwrap(store.save(.bearer("a1"), over: record.version))

        expectTrue(saved != record.version)
        try await expectEqual(store.load()?.version, saved)
    }

    @Test("keeps the note of a use when a save comes too late")
    func lateSave() async throws {
        let store = MemoryCredentialStore(.bearer("a0", refreshToken: "r0"))
        try await store.recordUse(of: digest)

        try await expectEqual(store.save(.bearer("b", refreshToken: "r0"), over: nil), nil)

        let error = await #expect(throws: CredentialStoreError.self) {
            try await store.recordUse(of: digest)
        }
        expectEqual(error?.code, .refreshOutcomeUnknown)
    }

    @Test("takes the same refresh token again after a sign-out and a sign-in")
    func cleared() async throws {
        let store = MemoryCredentialStore(.bearer("a0", refreshToken: "r0"))
        try await store.recordUse(of: digest)

        try await store.clear()
        _ = try await store.save(.bearer("a0", refreshToken: "r0"), over: nil)

        await #expect(throws: Never.self) { try await store.recordUse(of: digest) }
    }
}
