import Expectations
import InterceptorKit
import InterceptorKitAWS
import InterceptorKitSigning
import Testing

@Suite("AWSSignatureV4.Draft")
struct AWSUnsignedRequestTests: SigV4SigningSuite {
    @Test("covers all other fields but the excepted ones, in any case")
    func exceptions() throws {
        var scheme = AWSSignatureV4(service: "service", region: "us-east-1")
        scheme.signedFields = .all(except: ["X-NOTE"])
        let fields: HTTP.Headers = ["X-Note": "a", "X-Other": "b", "User-Agent": "c"]
        let request = HTTP.Request.get("https://h.example/", headers: fields)

        let signed = try scheme.sign(request, context(key))

        let field = signed.headers["Authorization"]
        expectEqual(field?.contains("SignedHeaders=host;x-amz-date;x-other,"), true)
        expectEqual(scheme.coveredFields(of: request), ["x-other"])
    }

    @Test("signs a signed request again as if for the first time", arguments: [true, false])
    func again(signsToken: Bool) throws {
        var key = key
        key.token = "token"
        var scheme = AWSSignatureV4.s3(region: "us-east-1")
        scheme.signsToken = signsToken
        let request = HTTP.Request.put("https://h.example/a", body: "content")

        let once = try scheme.sign(request, context(key))
        let other = AWSSignatureV4.s3(region: "us-east-1")
        var twice = try other.sign(request, context(self.key, 0))
        twice.headers["X-Amz-Content-Sha256"] = nil
        twice = try scheme.sign(twice, context(key))

        expectEqual(twice.headers["Authorization"], once.headers["Authorization"])
        expectEqual(twice.headers["X-Amz-Security-Token"], "token")
    }

    @Test("refuses invalid scopes, key IDs and requests")
    func badInput() throws {
        let scheme = AWSSignatureV4(service: "service", region: "us-east-1")
        var broken = HTTP.Request.get("https://h.example/")
        broken.headers["X-Note"] = "a\r\nb"

        #expect(throws: SigningError.self) {
            try AWSSignatureV4(service: "a/b", region: "r").validate()
        }
        #expect(throws: SigningError.self) {
            try AWSSignatureV4(service: "s", region: "").validate()
        }
        #expect(throws: SigningError.self) {
            try scheme.sign(
                .get("https://h.example/"),
                context(SigningKey(id: "a/b", secret: "s".utf8))
            )
        }
        #expect(throws: HTTP.RequestError.self) { try scheme.sign(broken, context(key)) }
        #expect(throws: HTTP.RequestError.self) { try scheme.sign(.get("/relative"), context(key)) }
    }
}
