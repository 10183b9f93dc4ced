import Expectations
import Foundation
import InterceptorKit
import InterceptorKitAWS
import InterceptorKitSigning
import Testing

@Suite("AWSSignatureV4.Claim")
struct AWSParsedSignatureTests: SigV4VerifyingSuite {
    @Test(
        "refuses malformed fields, and signatures in two places",
        arguments: [
            "AWS4-HMAC-SHA256", "AWS4-HMAC-SHA256 ", "AWS4-HMAC-SHA256 Credential=a/b",
            "AWS4-HMAC-SHA256 Credential=a/b, SignedHeaders=host, Signature=",
            "AWS4-HMAC-SHA256 Credential=a, SignedHeaders=host, Signature=00",
            "AWS4-HMAC-SHA256 Credential=/b, SignedHeaders=host, Signature=00",
            "AWS4-HMAC-SHA256 Credential=a/b, Credential=a/b, SignedHeaders=host, Signature=00",
            "AWS4-HMAC-SHA256 Credential=a/b, SignedHeaders=host, Signature=00, More=1",
            "AWS4-HMAC-SHA256X Credential=a/b, SignedHeaders=host, Signature=00",
        ]
    )
    func malformed(_ field: String) async throws {
        var request = try signed()
        request.headers["Authorization"] = field
        try await expectTrue(refusal(of: request) != nil)

        var twice = try signed()
        twice.headers.append(name: "Authorization", value: twice.headers["Authorization"] ?? "")
        try await expectEqual(refusal(of: twice), .malformed)
        let url = try scheme.presignedURL(
            for: .get("https://h.example/"),
            context(),
            validFor: .seconds(60)
        )
        var both = try signed()
        both.url = url
        try await expectEqual(refusal(of: both), .malformed)
        let repeated = HTTP.Request.get(url.appending(query: ["X-Amz-Expires": "60"]))
        try await expectEqual(refusal(of: repeated), .malformed)
    }

    @Test(
        "refuses a presigned URL without a lifetime of up to six digits",
        arguments: ["", "+60", "-60", "0000060", "6e1", "99999999999999999999"]
    )
    func lifetimes(_ text: String) async throws {
        let url = try scheme.presignedURL(
            for: .get("https://h.example/"),
            context(),
            validFor: .seconds(60)
        )
        let changed = url.text.replacing(
            "X-Amz-Expires=60",
            with: "X-Amz-Expires=\(text.replacing("+", with: "%2B"))"
        )
        var endless = scheme
        endless.location = .query(validFor: .zero)

        try await expectEqual(refusal(of: .get(HTTP.URL(unvalidated: changed))), .malformed)
        let never = try endless.sign(.get("https://h.example/"), context())
        try await expectEqual(refusal(of: never), .expired)
    }
}
