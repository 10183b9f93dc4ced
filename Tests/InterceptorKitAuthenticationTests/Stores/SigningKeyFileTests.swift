import Expectations
import Foundation
import InterceptorKit
import InterceptorKitAuthentication
import InterceptorKitTesting
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

@Suite("SigningKeyFile")
struct SigningKeyFileTests {
    private static func key(_ id: String, _ secret: String) -> SigningKey {
        SigningKey(id: id, secret: secret.utf8)
    }

    private static func error(
        _ body: () async throws -> Void
    ) async -> CredentialStoreError? {
        await #expect(throws: CredentialStoreError.self) { try await body() }
    }

    @Test("gives the key that was saved last, or the one asked for")
    func saved() async throws {
        let folder = try Folder()
        let keys = SigningKeyFile(folder["keys"])
        var temporary = Self.key("b", "2")
        temporary.token = "session"

        try await expectEqual(keys.key(id: nil)?.id, nil)
        try await keys.save(Self.key("a", "1"))
        try await keys.save(temporary)

        let other = SigningKeyFile(folder["keys"])
        let newest = try await other.key(id: nil)
        expectEqual(newest?.id, "b")
        expectEqual(newest?.token, "session")
        try expectEqual(newest?.secret, SharedSecret("2".utf8))
        try await expectEqual(other.key(id: "a")?.secret, SharedSecret("1".utf8))
        try await expectEqual(other.key(id: "c")?.id, nil)
    }

    @Test("refuses a secret that was changed after it was written")
    func changed() async throws {
        let folder = try Folder()
        let keys = SigningKeyFile(folder["keys"])
        try await keys.save(Self.key("a", "secret"))
        let text = try String(contentsOfFile: folder["keys"], encoding: .utf8)
        let changed = text.replacing("c2VjcmV0", with: "c2VjcmV1")
        try Data(changed.utf8).write(to: URL(fileURLWithPath: folder["keys"]))

        let error = await Self.error { _ = try await keys.key(id: "a") }

        expectTrue(text != changed)
        expectEqual(error?.code, .corrupt)
    }

    @Test("replaces a key of the same ID, and removes one or all")
    func removed() async throws {
        let folder = try Folder()
        let keys = SigningKeyFile(folder["keys"])
        for (id, secret) in [("a", "1"), ("b", "2"), ("a", "3")] {
            try await keys.save(Self.key(id, secret))
        }

        try await expectEqual(keys.key(id: nil)?.secret, SharedSecret("3".utf8))
        try await keys.remove(id: "a")
        try await keys.remove(id: "none")
        try await expectEqual(keys.key(id: "a")?.id, nil)
        try await expectEqual(keys.key(id: nil)?.id, "b")
        try await keys.clear()
        try await expectEqual(keys.key(id: nil)?.id, nil)
        expectEqual(folder.names, ["keys.lock"])
    }

    @Test("creates its files with access for the owner only")
    func permissions() async throws {
        let folder = try Folder()
        let old = umask(0)
        defer { umask(old) }

        try await SigningKeyFile(folder["keys"]).save(Self.key("a", "1"))

        expectEqual(folder.names, ["keys", "keys.lock"])
        expectEqual(folder.names.map(folder.permissions), [0o600, 0o600])
    }

    @Test(
        "refuses a file that others may read or write, and leaves it",
        arguments: [0o640, 0o604, 0o620, 0o666]
    )
    func unsafePermissions(mode: Int) async throws {
        let folder = try Folder()
        let keys = SigningKeyFile(folder["keys"])
        try await keys.save(Self.key("a", "s3cret"))
        let content = folder.content("keys")
        folder.setPermissions(mode_t(mode), of: "keys")

        let reading = await Self.error { _ = try await keys.key(id: nil) }
        let saving = await Self.error { try await keys.save(Self.key("b", "2")) }

        expectEqual([reading?.code, saving?.code], [.unsafeFile, .unsafeFile])
        expectEqual(reading?.message.contains("permissions \(String(mode, radix: 8))"), true)
        expectEqual(folder.content("keys"), content)
    }

    @Test(
        "reports content that is no list of keys, and keeps it",
        arguments: [
            "", "s3cret", "{}", #"{"format":1,"keys":[{"id":"a","secret":"s3cret"#,
            #"{"format":2,"keys":[]}"#, #"{"format":1,"keys":[{"id":"a","secret":"s3cret!"}]}"#,
            #"{"format":1,"keys":[{"id":"a b","secret":"czNjcmV0"}]}"#,
            #"{"format":1,"keys":[{"id":"a","secret":""}]}"#,
        ]
    )
    func corrupt(content: String) async throws {
        let folder = try Folder()
        let keys = SigningKeyFile(folder["keys"])
        try folder.write(Data(content.utf8), to: "keys")
        folder.setPermissions(0o600, of: "keys")

        let errors = [
            await Self.error { _ = try await keys.key(id: nil) },
            await Self.error { try await keys.save(Self.key("b", "2")) },
            await Self.error { try await keys.remove(id: "a") },
        ]

        expectEqual(errors.map { $0?.code }, [.corrupt, .corrupt, .corrupt])
        expectTrue(errors.allSatisfy { $0?.message.contains("s3cret") == false })
        expectEqual(folder.content("keys"), Data(content.utf8))
    }

    @Test("reads a file that was written by hand")
    func written() async throws {
        let folder = try Folder()
        let content = #"{"format": 1, "keys": [{"id": "app-1", "secret": "czNjcmV0"}]}"#
        try folder.write(Data(content.utf8), to: "keys")
        folder.setPermissions(0o600, of: "keys")

        let key = try await SigningKeyFile(folder["keys"]).key(id: "app-1")

        try expectEqual(key?.secret, SharedSecret("s3cret".utf8))
    }

    @Test("refuses private keys and keys that can't sign")
    func unsuitable() async throws {
        let folder = try Folder()
        let keys = SigningKeyFile(folder["keys"])

        let error = await Self.error { try await keys.save(SigningKey(id: "a", signer: Signer())) }
        await #expect(throws: SigningError.self) { try await keys.save(Self.key("a", "")) }
        await #expect(throws: SigningError.self) { try await keys.save(Self.key("a b", "1")) }

        expectEqual(error?.code, .cannotWrite)
        expectEqual(folder.names, ["keys.lock"])
    }

    @Test("waits at most 60 s for another process that saves")
    func locked() async throws {
        try await onEverySeed(0..<5) { simulation in
            let folder = try Folder()
            let held = unsafe open(folder["keys.lock"], O_RDWR | O_CREAT, 0o600)
            defer { close(held) }
            try requireEqual(flock(held, LOCK_EX), 0)
            let keys = SigningKeyFile(folder["keys"], runtime: simulation.runtime)

            let error = await Self.error { try await keys.save(Self.key("a", "1")) }

            try requireEqual(error?.code, .lockTimedOut)
            try require(simulation.now.offset > .seconds(59))
            try require(simulation.now.offset < .seconds(60))
            flock(held, LOCK_UN)
            try await keys.save(Self.key("a", "1"))
            try requireEqual(folder.names, ["keys", "keys.lock"])
        }
    }

    @Test("has each attempt signed with the key that the file then holds")
    func signing() async throws {
        let folder = try Folder()
        let keys = SigningKeyFile(folder["keys"])
        let transport = ScriptedTransport<HTTP.Request>(replies: [.status(200), .status(200)])
        let client = try HTTP.Client(transport: transport, timeout: nil) {
            SignInterceptor(RequestSigner(HMACScheme(), keys: keys))
        }

        await #expect(throws: SigningError.self) { try await client.send(.get(orders)) }
        for id in ["app-1", "app-2"] {
            try await keys.save(Self.key(id, "s3cret"))
            _ = try await client.send(.get(orders))
        }

        let signatures = transport.sent.map { $0.input.headers["X-Signature"] ?? "" }
        expectEqual(signatures.count, 2)
        expectEqual(signatures.first?.contains(#"keyid="app-1""#), true)
        expectEqual(signatures.last?.contains(#"keyid="app-2""#), true)
    }
}

private struct Signer: MessageSigner {
    var algorithm: SignatureAlgorithm { .ed25519 }

    func signature(of message: [UInt8]) throws -> [UInt8] { message }
}
