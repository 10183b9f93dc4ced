import Expectations
import Foundation
import InterceptorKit
import InterceptorKitAuthentication
import InterceptorKitConcurrency
import InterceptorKitTesting
import Synchronization
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

@Suite("CredentialFile")
struct CredentialFileTests {
    private func code(_ store: CredentialFile) async -> CredentialStoreError.Code? {
        do {
            _ = try await store.load()
            return nil
        } catch let error as CredentialStoreError {
            return error.code
        } catch {
            return .init(description: "\(error)")
        }
    }

    @Test("creates all its files with access for the owner only")
    func permissions() async throws {
        let folder = try Folder()
        let old = umask(0)
        defer { umask(old) }
        let store = CredentialFile(folder["credential"])
        _ = try await store.save(.bearer("a0", refreshToken: "r0"), over: nil)
        try await store.recordUse(of: HashAlgorithm.sha256.hash("r0".utf8))
        try await store.withLock {}

        expectEqual(
            folder.names,
            [
                "credential", "credential.lock", "credential.save", "credential.used",
            ]
        )
        expectEqual(folder.names.map(folder.permissions), [0o600, 0o600, 0o600, 0o600])
        expectEqual(folder.content("credential.used")?.contains(Data("r0".utf8)), false)

        try await store.clear()
        expectEqual(folder.names, ["credential.lock", "credential.save"])
    }

    @Test(
        "refuses a file that others may read or write, without reading it",
        arguments: [0o640, 0o604, 0o620, 0o666]
    )
    func unsafePermissions(mode: Int) async throws {
        let folder = try Folder()
        let store = CredentialFile(folder["credential"])
        let version = try await store.save(.bearer("a0"), over: nil)
        folder.setPermissions(mode_t(mode), of: "credential")

        await expectEqual(code(store), .unsafeFile)
        await #expect(throws: CredentialStoreError.self) {
            try await store.save(.bearer("a1"), over: version)
        }

        folder.setPermissions(0o600, of: "credential")
        await expectEqual(code(store), nil)
    }

    @Test("refuses another user's file", .enabled(if: geteuid() == 0, "needs to give a file away"))
    func otherOwner() async throws {
        let folder = try Folder()
        let store = CredentialFile(folder["credential"])
        _ = try await store.save(.bearer("a0"), over: nil)
        unsafe chown(folder["credential"], 1, 1)

        await expectEqual(code(store), .unsafeFile)
    }

    @Test("refuses symbolic links, folders and invalid paths")
    func notAFile() async throws {
        let folder = try Folder()
        _ = try await CredentialFile(folder["real"]).save(.bearer("a0"), over: nil)
        unsafe symlink(folder["real"], folder["link"])
        unsafe mkdir(folder["folder"], 0o700)

        await expectEqual(code(CredentialFile(folder["link"])), .cannotRead)
        await expectEqual(code(CredentialFile(folder["folder"])), .unsafeFile)
        await expectEqual(code(CredentialFile("")), .cannotRead)
        await expectEqual(code(CredentialFile("a\0b")), .cannotRead)
        await #expect(throws: CredentialStoreError.self) {
            try await CredentialFile(folder["none/credential"]).save(.bearer("a0"), over: nil)
        }
    }

    @Test("reports a truncated or changed file as corrupt, and keeps it")
    func corrupt() async throws {
        let folder = try Folder()
        let store = CredentialFile(folder["credential"])
        let version = try await store.save(.bearer("a0-s3cret", refreshToken: "r0"), over: nil)
        let whole = try unwrap(folder.content("credential"))

        var isRight = true
        for length in 0..<whole.count {
            try folder.write(whole.prefix(length), to: "credential")
            folder.setPermissions(0o600, of: "credential")
            isRight = await code(store) == .corrupt && isRight
            var changed = whole
            changed[length] ^= 0x01
            try folder.write(changed, to: "credential")
            folder.setPermissions(0o600, of: "credential")
            // Within the version, which is any text, a change makes another version.
            let found = await code(store)
            let record = found == nil ? try await store.load() : nil
            isRight = isRight && (found == .corrupt || record?.version != version)
        }
        expectTrue(isRight)

        try folder.write(whole.prefix(20), to: "credential")
        folder.setPermissions(0o600, of: "credential")
        do {
            _ = try await store.save(.bearer("a1"), over: version)
        } catch {
            expectTrue(!"\(error)".contains("s3cret"))
        }
        expectEqual(folder.content("credential"), whole.prefix(20))
        try await store.clear()
        try await expectTrue(store.load() == nil)
    }

    @Test("uses no refresh token while its record of used ones is damaged")
    func changedRecord() async throws {
        let folder = try Folder()
        let store = CredentialFile(folder["credential"])
        let token = HashAlgorithm.sha256.hash("r0".utf8)
        _ = try await store.save(.bearer("a0", refreshToken: "r0"), over: nil)
        try await store.recordUse(of: token)
        let whole = try unwrap(folder.content("credential.used"))

        for place in whole.indices {
            var changed = whole
            changed[place] ^= 0x01
            for content in [changed, whole.prefix(place), Data(count: place)] {
                try folder.write(content, to: "credential.used")
                folder.setPermissions(0o600, of: "credential.used")
                await #expect(throws: CredentialStoreError.self) {
                    try await store.recordUse(of: token)
                }
            }
        }
        _ = try await store.clear()
        _ = try await store.save(.bearer("a1", refreshToken: "r0"), over: nil)
        try await store.recordUse(of: token)
    }

    @Test("allows the new refresh token although it couldn't be saved")
    func unsaved() async throws {
        let folder = try Folder()
        let store = CredentialFile(folder["credential"])
        let old = HashAlgorithm.sha256.hash("r0".utf8)
        let new = HashAlgorithm.sha256.hash("r1".utf8)
        _ = try await store.save(.bearer("a0", refreshToken: "r0"), over: nil)

        await #expect(throws: CredentialStoreError.self) { try await store.recordUse(of: new) }
        try await store.recordUse(of: old)
        try await store.recordUse(of: new)

        // Neither is used again by those who know only what is kept.
        await #expect(throws: CredentialStoreError.self) { try await store.recordUse(of: old) }
        await #expect(throws: CredentialStoreError.self) { try await store.recordUse(of: new) }
        try await store.withdrawUse(of: new)
        try await store.recordUse(of: new)
    }

    @Test("refuses a file that is too large")
    func tooLarge() async throws {
        let folder = try Folder()
        try folder.write(Data(count: 1 << 20), to: "credential")
        folder.setPermissions(0o600, of: "credential")

        await expectEqual(code(CredentialFile(folder["credential"])), .corrupt)
    }

    @Test("replaces a file that a dead process left, whatever its permissions")
    func leaks() async throws {
        let folder = try Folder()
        try folder.write(Data("old".utf8), to: "credential.new")
        folder.setPermissions(0o666, of: "credential.new")
        let store = CredentialFile(folder["credential"])

        _ = try await store.save(.bearer("a0"), over: nil)

        expectEqual(folder.permissions("credential"), 0o600)
        expectTrue(!folder.names.contains("credential.new"))
    }

    @Test("shows no secret in dumps of stores")
    func redaction() async throws {
        let memory = MemoryCredentialStore(.bearer("a0-s3cret", refreshToken: "r-s3cret"))
        var dumped = "\(memory)"
        dump(memory, to: &dumped)
        dump(try await memory.load(), to: &dumped)

        expectTrue(!dumped.contains("s3cret"))
    }
}
