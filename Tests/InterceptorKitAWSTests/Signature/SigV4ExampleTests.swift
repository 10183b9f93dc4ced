import Expectations
import Foundation
import InterceptorKit
import InterceptorKitAWS
import InterceptorKitSigning
import TestSupport
import Testing

@Suite("AWSSignatureV4 and AWS's own examples")
struct SigV4ExampleTests {
    private func context(_ key: SigningKey, at date: TimeInterval) -> SigningContext {
        let date = Date(timeIntervalSince1970: date)
        return SigningContext(key: key, freshness: SignatureFreshness(date: date, nonce: ""))
    }

    // Amazon S3 API Reference, "Authenticating Requests: Using the Authorization Header".
    @Test(
        "signs requests to S3 as its documentation does",
        arguments: [
            (
                HTTP.Request.get(
                    "https://examplebucket.s3.amazonaws.com/test.txt",
                    headers: ["Range": "bytes=0-9"]
                ),
                "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"
            ),
            (
                .put(
                    "https://examplebucket.s3.amazonaws.com/test$file.text",
                    headers: [
                        "Date": "Fri, 24 May 2013 00:00:00 GMT",
                        "X-Amz-Storage-Class": "REDUCED_REDUNDANCY",
                    ],
                    body: "Welcome to Amazon S3."
                ),
                "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"
            ),
            (
                .get("https://examplebucket.s3.amazonaws.com/?max-keys=2&prefix=J"),
                "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"
            ),
        ]
    )
    func storage(request: HTTP.Request, signature: String) throws {
        let key = SigningKey(
            id: "AKIAIOSFODNN7EXAMPLE",
            secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY".utf8
        )

        let signed = try AWSSignatureV4.s3(region: "us-east-1")
            .sign(request, context(key, at: 1_369_353_600))

        expectEqual(InterceptorKitAWSTests.signature(of: signed), signature)
    }

    // get-vanilla and post-vanilla-query in aws-c-auth's aws-signing-test-suite/v4.
    @Test(
        "signs in a query as AWS's own suite does",
        arguments: [
            (
                HTTP.Request.get("https://example.amazonaws.com/"),
                "e93c787ed7f371d5c6b165c1b38ede9550f4dce4144713e844b25b7192d3865d"
            ),
            (
                .post("https://example.amazonaws.com/?Param1=value1"),
                "a9ef26247f293bffe40eeff86a0480ba8c14d31503b2e0c3399e3a16bf1a3682"
            ),
        ]
    )
    func query(request: HTTP.Request, signature: String) throws {
        let key = SigningKey(
            id: "AKIDEXAMPLE",
            secret: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY".utf8
        )
        var scheme = AWSSignatureV4(service: "service", region: "us-east-1")
        scheme.location = .query(validFor: .seconds(3600))

        let signed = try scheme.sign(request, context(key, at: 1_440_938_160))

        expectEqual(InterceptorKitAWSTests.signature(of: signed), signature)
    }

    // get-vanilla in aws-c-auth's aws-signing-test-suite/v4a. Its signatures differ each time, these texts never.
    @Test("makes the texts of version 4A as AWS's own suite does")
    func asymmetric() throws {
        let context = context(
            SigningKey(id: "AKIDEXAMPLE", signer: BlankSigner()),
            at: 1_440_938_160
        )
        var scheme = AWSSignatureV4(service: "service", region: "us-east-1")
        scheme.algorithm = .ecdsaP256SHA256
        let request = HTTP.Request.get("https://example.amazonaws.com/")

        let inField = try scheme.explain(request, context)
        scheme.location = .query(validFor: .seconds(3600))
        let inQuery = try scheme.explain(request, context)

        expectEqual(
            inField.canonicalRequest,
            """
            GET
            /

            host:example.amazonaws.com
            x-amz-date:20150830T123600Z
            x-amz-region-set:us-east-1

            host;x-amz-date;x-amz-region-set
            e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
            """
        )
        let head = "AWS4-ECDSA-P256-SHA256\n20150830T123600Z\n20150830/service/aws4_request\n"
        expectEqual(
            inField.stringToSign,
            head + "cf59db423e841c8b7e3444158185aa261b724a5c27cbe762676f3eed19f4dc02"
        )
        expectEqual(
            inQuery.stringToSign,
            head + "890c4ed28c1a1ac10b5862719b537afbe392e987dc1aab1efa16fe7de41d3c81"
        )
    }
}
