import Expectations
import InterceptorKit
import InterceptorKitSigning
import Testing

@Suite("VerificationKey")
struct VerificationKeyTests {
    @Test("accepts no signature made with an empty secret")
    func emptySecret() {
        let key = VerificationKey(id: "app-1", secret: [])
        let signature = HashAlgorithm.sha256.authenticationCode(of: [1], key: [])

        expectTrue(!key.isValid(Array(signature), for: [1]))
    }

    @Test("shows no secret of a key in any description")
    func redaction() {
        let key = VerificationKey(id: "app-1", secret: "s3cret".utf8)
        var dumped = ""
        dump(key, to: &dumped)

        for text in ["\(key)", String(reflecting: key), dumped] {
            expectTrue(!text.contains("s3cret") && !text.contains("115"))
        }
    }

    @Test("is the first of several with one id, and none for an unknown one")
    func fixed() async throws {
        let first = VerificationKey(id: "a", secret: "first".utf8)
        let keys = FixedVerificationKeys([first, VerificationKey(id: "a", secret: "second".utf8)])
        let code = HashAlgorithm.sha256.authenticationCode(of: [1], key: Array("first".utf8))

        let found = try await unwrap(keys.verificationKey(id: "a"))

        expectTrue(found.isValid(Array(code), for: [1]))
        expectTrue(!found.isValid(Array(code), for: [2]))
        try await expectTrue(keys.verificationKey(id: "A") == nil)
    }
}
