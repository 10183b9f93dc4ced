import Expectations
import Foundation
import InterceptorKit
import InterceptorKitAWS
import InterceptorKitSigning
import TestSupport
import Testing

@Suite("AWSSignatureV4")
struct AWSSignatureV4Tests: SigV4SigningSuite {
    @Test("signs a request with the fields Authorization and X-Amz-Date")
    func field() throws {
        let scheme = AWSSignatureV4(service: "service", region: "us-east-1")

        let signed = try scheme.sign(.get("https://example.amazonaws.com/"), context(key))

        expectEqual(signed.headers["X-Amz-Date"], "20150830T123600Z")
        expectEqual(
            signed.headers["Authorization"],
            "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, "
                + "SignedHeaders=host;x-amz-date, "
                + "Signature=5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"
        )
        expectTrue(!signed.headers.contains("X-Amz-Content-Sha256"))
    }

    @Test("makes a presigned URL with a lifetime")
    func presigned() throws {
        let scheme = AWSSignatureV4.s3(region: "us-east-1")

        let url = try scheme.presignedURL(
            for: .get("https://examplebucket.s3.amazonaws.com/test.txt"),
            context(
                SigningKey(
                    id: "AKIAIOSFODNN7EXAMPLE",
                    secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY".utf8
                ),
                1_369_353_600
            ),
            validFor: .seconds(86_400)
        )

        expectEqual(
            url.queryParameters.last?.value,
            "aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404"
        )
        expectEqual(scheme.location, .field)
    }

    @Test("refuses a URL lifetime of zero or of more than seven days", arguments: [0, -1, 604_801])
    func expiry(_ seconds: Int) {
        let scheme = AWSSignatureV4.s3(region: "us-east-1")

        #expect {
            try scheme.presignedURL(
                for: .get("https://h.example/"),
                context(key),
                validFor: .seconds(seconds)
            )
        } throws: { ($0 as? SigningError)?.code == .invalidScheme }
    }

    @Test("accepts every time and chunk size up to its bounds")
    func bounds() throws {
        var scheme = AWSSignatureV4.s3(region: "us-east-1")
        for seconds in [1, 604_800] {
            scheme.location = .query(validFor: .seconds(seconds))

            try scheme.validate()
        }

        scheme.location = .field
        scheme.payload = .chunked(size: 8192)
        try scheme.validate()
        scheme.payload = .chunked(size: 8191)
        #expect(throws: SigningError.self) { try scheme.validate() }
    }

    @Test("refuses a private key for version 4 and a secret for version 4A")
    func keyKinds() {
        var scheme = AWSSignatureV4(service: "service", region: "us-east-1")
        let private4 = SigningKey(id: "AKID", signer: BlankSigner())
        let isUnsuitable = { (error: any Error) in (error as? SigningError)?.code == .unsuitableKey
        }

        #expect {
            try scheme.sign(.get("https://h.example/"), context(private4))
        } throws: { isUnsuitable($0) }
        scheme.algorithm = .ecdsaP256SHA256
        #expect {
            try scheme.sign(.get("https://h.example/"), context(key))
        } throws: { isUnsuitable($0) }
    }

    @Test(
        "refuses a private key for version 4A that isn't on P-256",
        arguments: [
            (SignatureAlgorithm.ed25519, 64), (.ecdsaP384SHA384, 96), (.ecdsaP256SHA256, 63),
            (.ecdsaP256SHA256, 65),
        ]
    )
    func otherCurves(algorithm: SignatureAlgorithm, count: Int) {
        var scheme = AWSSignatureV4(service: "service", region: "us-east-1")
        scheme.algorithm = .ecdsaP256SHA256
        let key = SigningKey(id: "AKID", signer: SizedSigner(algorithm: algorithm, count: count))

        #expect {
            try scheme.sign(.get("https://h.example/"), context(key))
        } throws: { ($0 as? SigningError)?.code == .unsuitableKey }
    }

    @Test("signs version 4A with a signature in DER")
    func asymmetric() throws {
        var scheme = AWSSignatureV4(service: "service", region: "us-east-1")
        scheme.algorithm = .ecdsaP256SHA256
        let key = SigningKey(id: "AKID", signer: BlankSigner())

        let signed = try scheme.sign(.get("https://h.example/"), context(key))

        expectEqual(signed.headers["X-Amz-Region-Set"], "us-east-1")
        let half = "022100" + String(repeating: "80", count: 32)
        expectEqual(signature(of: signed), "3046" + half + half)
    }
}

/// Makes signatures of a length.
private struct SizedSigner: MessageSigner {
    let algorithm: SignatureAlgorithm
    let count: Int

    func signature(of message: [UInt8]) -> [UInt8] { Array(repeating: 1, count: count) }
}
