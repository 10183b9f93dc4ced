import Expectations
import InterceptorKit
import Testing

@Suite("SigningKeyStore")
struct SigningKeyStoreTests {
    @Test("gives the key asked for, by default the first, or none")
    func fixed() async throws {
        let keys = FixedSigningKeys([
            SigningKey(id: "a", secret: "1".utf8), SigningKey(id: "b", secret: "2".utf8),
            SigningKey(id: "b", secret: "3".utf8),
        ])

        try await expectEqual(keys.key(id: nil)?.id, "a")
        try await expectEqual(keys.key(id: "b")?.secret, SharedSecret("2".utf8))
        try await expectEqual(keys.key(id: "B")?.id, nil)
        try await expectEqual(keys.key(id: "")?.id, nil)
        try await expectEqual(FixedSigningKeys([]).key(id: nil)?.id, nil)
    }
}
