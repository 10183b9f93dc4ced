import Expectations
import Testing

@testable import InterceptorKit

@Suite("SharedSecret")
struct SharedSecretTests {
    @Test("computes each HMAC alone, whatever was computed before")
    func codes() {
        let bytes = Array("Jefe".utf8)
        let secret = SharedSecret(bytes)
        let messages = ["what do ya want for nothing?", "", String(repeating: "x", count: 1000)]

        for message in messages + messages {
            for algorithm in [HashAlgorithm.sha256, .sha1, .sha512] {
                let code = secret.authenticationCode(of: message.utf8, using: algorithm)

                expectEqual(code, algorithm.authenticationCode(of: message.utf8, key: bytes))
            }
        }
        expectEqual(
            secret.authenticationCode(of: messages[0].utf8).hexadecimal,
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        )
    }

    @Test(
        "equals another exactly if it has the same bytes",
        arguments: [
            ([1, 2, 3], true), ([1, 2], false), ([1, 2, 3, 0], false), ([1, 2, 4], false),
            ([2, 2, 3], false), ([], false),
        ] as [([UInt8], Bool)]
    )
    func equality(bytes: [UInt8], isEqual: Bool) {
        expectEqual((SharedSecret([1, 2, 3]) == SharedSecret(bytes)), isEqual)
        expectEqual(SharedSecret(bytes).isEmpty, bytes.isEmpty)
    }

    @Test("shows how many bytes it has, and none of them")
    func redaction() {
        var dumped = ""
        dump(SharedSecret("s3cret".utf8), to: &dumped)

        expectTrue(dumped.contains("count: 6"))
        expectTrue(!dumped.contains("115"))
    }
}
