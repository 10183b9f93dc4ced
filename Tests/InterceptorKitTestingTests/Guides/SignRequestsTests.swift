import InterceptorKit
import InterceptorKitTesting
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The guide's worked example, with the signature that any other implementation must come to.
@Suite struct SignRequestsTests {
    @Test("the guide's request gets the signature that the guide shows")
    func example() throws {
        let request = try HTTP.Request.post("https://api.example.com/v1/orders?b=2&a=1%202")
            .json(["item": "teapot"])

        let signed = try HMACScheme().sign(
            request,
            SigningContext(
                key: SigningKey(id: "app-1", secret: "secret".utf8),
                freshness: SignatureFreshness(
                    date: Date(timeIntervalSince1970: 1_767_225_600),
                    nonce: "00112233445566778899aabbccddeeff"
                ),
                bodyHash: HashAlgorithm.sha256.hash(#"{"item":"teapot"}"#.utf8)
            )
        )

        #expect(
            signed.headers["X-Signature"] == """
                keyid="app-1", created=1767225600, nonce="00112233445566778899aabbccddeeff", \
                fields="content-type", \
                hmac="003c348fc0c5b55bb7602da477aa0d3963143aded0cd6d8d4c90bdf760d8fa4c"
                """
        )
    }
}
