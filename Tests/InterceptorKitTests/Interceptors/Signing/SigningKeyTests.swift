import Expectations
import InterceptorKit
import TestSupport
import Testing

@Suite("SigningKey")
struct SigningKeyTests {
    @Test("computes an HMAC with the given hash, SHA-256 by default")
    func authenticationCode() throws {
        let key = SigningKey(id: "app-1", secret: Array("Jefe".utf8))
        let message = "what do ya want for nothing?".utf8

        try expectEqual(
            key.authenticationCode(of: message).hexadecimal,
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        )
        try expectEqual(
            key.authenticationCode(of: message, using: .sha1).hexadecimal,
            "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"
        )
    }

    @Test("refuses a kind of signing that it isn't made for")
    func kinds() throws {
        let secret = SigningKey(id: "app-1", secret: Array("Jefe".utf8))
        let pair = SigningKey(id: "app-2", signer: Reverser())

        try expectEqual(pair.signer.signature(of: [1, 2]), [2, 1])
        try expectEqual(secret.withSecret { $0.count }, 4)
        for attempt in [
            { _ = try secret.signer },
            { _ = try pair.authenticationCode(of: []) },
            { _ = try pair.withSecret { $0.count } },
        ] as [() throws -> Void] {
            let error = #expect(throws: SigningError.self) { try attempt() }
            expectEqual(error?.code, .unsuitableKey)
        }
    }

    @Test("shows no secret of a key in any description")
    func redaction() {
        let key = SigningKey(id: "app-1", secret: "s3cret".utf8)
        var dumped = ""
        dump(key, to: &dumped)

        for text in ["\(key)", String(reflecting: key), dumped] {
            expectTrue(!text.contains("s3cret") && !text.contains("115"))
        }
    }

    @Test("shows nothing of a signer")
    func signerRedaction() {
        let key = SigningKey(id: "app-1", signer: Reverser(note: "s3cret"))
        var dumped = ""
        dump(key, to: &dumped)

        for text in ["\(key)", String(reflecting: key), dumped] {
            expectTrue(!text.contains("s3cret"))
        }
    }
}

private struct Reverser: MessageSigner {
    var note = ""
    var algorithm: SignatureAlgorithm { SignatureAlgorithm("reversed") }
    func signature(of message: [UInt8]) -> [UInt8] { message.reversed() }
}
