import InterceptorKit
import Testing

@Suite("SigningKey")
struct SigningKeyTests {
    @Test("authenticates with the hash function asked for, SHA-256 unless told otherwise")
    func authenticationCode() {
        let key = SigningKey(id: "app-1", secret: Array("Jefe".utf8))
        let message = "what do ya want for nothing?".utf8

        #expect(
            key.authenticationCode(of: message).hexadecimal
                == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        )
        #expect(
            key.authenticationCode(of: message, using: .sha1).hexadecimal
                == "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"
        )
    }

    @Test("shows its id and not its secret")
    func description() {
        let key = SigningKey(id: "app-1", secret: Array("Jefe".utf8))

        #expect("\(key)" == "SigningKey(app-1)")
        #expect(String(reflecting: key) == "SigningKey(app-1)")
    }
}
