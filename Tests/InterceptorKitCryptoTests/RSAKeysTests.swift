#if Crypto
import Expectations
import InterceptorKit
import InterceptorKitCrypto
import InterceptorKitSigning
import Testing

@Suite("RSA keys")
struct RSAKeysTests {
    @Test("are refused without being shown when they are none or too short")
    func invalidRSA() {
        for attempt in [
            { _ = try SigningKey(id: "k", rsa: "s3cret") },
            { _ = try VerificationKey(id: "k", rsa: "s3cret") },
            {
                _ = try VerificationKey(
                    id: "k",
                    rsaModulus: Array(repeating: 0xFF, count: 128),
                    exponent: [1, 0, 1]
                )
            },
        ] as [() throws -> Void] {
            let error = #expect(throws: SigningError.self) { try attempt() }
            expectEqual(error?.code, .unsuitableKey)
            expectEqual(error?.message.contains("s3cret"), false)
        }
    }
}
#endif
