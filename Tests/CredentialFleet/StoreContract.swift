import Expectations
import Foundation
public import InterceptorKit
public import InterceptorKitAuthentication

extension Fleet {
    /// Tries what a store of a fleet promises of its versions and of its notes of refresh tokens.
    public static func checkContract(of store: some CredentialStore & RefreshTokenJournal)
        async throws
    {
        let expiry = Date(timeIntervalSince1970: 1_700_000_000)
        let digest = HashAlgorithm.sha256.hash("r0".utf8)

        try await expectTrue(store.load() == nil)
        await expectEqual(code { try await store.recordUse(of: digest) }, .superseded)
        let credential = Credential.bearer("a0", expiresAt: expiry, refreshToken: "r0")
        let first = try await unwrap(store.save(credential, over: nil))
        try await expectEqual(store.save(.bearer("b"), over: nil), nil)
        let kept = try await unwrap(store.load())
        expectEqual(kept.version, first)
        expectEqual(kept.credential.expiresAt, expiry)
        expectEqual(kept.credential.refreshToken, "r0")

        try await store.recordUse(of: digest)
        await expectEqual(code { try await store.recordUse(of: digest) }, .refreshOutcomeUnknown)
        try await store.withdrawUse(of: HashAlgorithm.sha256.hash("other".utf8))
        await expectEqual(code { try await store.recordUse(of: digest) }, .refreshOutcomeUnknown)
        try await store.withdrawUse(of: digest)
        try await store.recordUse(of: digest)

        let next = Credential.bearer("a1", refreshToken: "r1")
        let second = try await unwrap(store.save(next, over: first))
        try await expectEqual(store.save(.bearer("b"), over: first), nil)
        // The old token's time is over, noted or not.
        await expectEqual(code { try await store.recordUse(of: digest) }, .superseded)
        try await store.recordUse(of: HashAlgorithm.sha256.hash("r1".utf8))
        try await expectEqual(store.load()?.version, second)
        // Given again at a sign-in, it is as good as new.
        let third = try await unwrap(store.save(next, over: second))
        try await store.recordUse(of: HashAlgorithm.sha256.hash("r1".utf8))
        try await expectEqual(store.load()?.version, third)
        try await store.clear()
        try await expectTrue(store.load() == nil)
    }

    private static func code(_ body: () async throws -> Void) async -> CredentialStoreError.Code? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? CredentialStoreError)?.code
        }
    }
}
