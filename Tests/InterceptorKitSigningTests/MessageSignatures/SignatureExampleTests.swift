import Expectations
import InterceptorKit
import InterceptorKitSigning
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("HTTP Message Signatures and the RFC's examples")
struct SignatureExampleTests {
    private let digest =
        "sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX+TaPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:"

    // The test-request of appendix B.2.
    private var request: HTTP.Request {
        .post(
            "https://example.com/foo?param=Value&Pet=dog",
            headers: [
                "Host": "example.com", "Date": "Tue, 20 Apr 2021 02:07:55 GMT",
                "Content-Type": "application/json", "Content-Digest": digest,
                "Content-Length": "18",
            ],
            body: #"{"hello": "world"}"#
        )
    }

    @Test("signs with a shared secret as RFC 9421 appendix B.2.5 does")
    func sharedSecret() throws {
        let secret = try unwrap(
            Data(
                base64Encoded: "uzvJfB4u3N0Jy4T7NZ75MDVcr8zSTInedJtkgcu46YW4XByzNJjxBdtjUkdJPBt"
                    + "bmHhIDi6pcl8jsasjlTMtDQ=="
            )
        )
        let text =
            #"("date" "@authority" "content-type");created=1618884473;keyid="test-shared-secret""#

        let signed = try request.signed(
            SignatureParameters(parsing: text),
            label: "sig-b25",
            with: SigningKey(id: "test-shared-secret", secret: secret)
        )

        expectEqual(signed.headers["Signature-Input"], "sig-b25=\(text)")
        expectEqual(
            signed.headers["Signature"],
            "sig-b25=:pxcQw6G3AjtMBQjwo8XzkZf/bws5LelbaMk5rGIGtE8=:"
        )
    }

    @Test("has the base of RFC 9421 appendix B.2.2")
    func selected() throws {
        let parameters =
            #"("@authority" "content-digest" "@query-param";name="Pet")"#
            + #";created=1618884473;keyid="test-key-rsa-pss";tag="header-example""#

        let base = try SignableMessage.request(request)
            .signatureBase(SignatureParameters(parsing: parameters))

        expectEqual(
            base,
            """
            "@authority": example.com
            "content-digest": \(digest)
            "@query-param";name="Pet": dog
            "@signature-params": \(parameters)
            """
        )
    }

    @Test("binds a response to its request as RFC 9421 section 2.4 does")
    func bound() throws {
        let own =
            "sha-512=:0Y6iCBzGg5rZtoXS95Ijz03mslf6KAMCloESHObfwnHJDbkkWWQz6PhhU9kxsTbARtY2PTBOzq24uJFpHsMuAg==:"
        let response = HTTP.Response(
            503,
            headers: ["Content-Type": "application/json", "Content-Digest": own]
        )
        let parameters =
            #"("@status" "content-digest" "content-type" "@authority";req "@method";req "@path";req "#
            + #""content-digest";req);created=1618884479;keyid="test-key-ecc-p256""#

        let base = try SignableMessage.response(response, to: request)
            .signatureBase(SignatureParameters(parsing: parameters))

        expectEqual(
            base,
            """
            "@status": 503
            "content-digest": \(own)
            "content-type": application/json
            "@authority";req: example.com
            "@method";req: POST
            "@path";req: /foo
            "content-digest";req: \(digest)
            "@signature-params": \(parameters)
            """
        )
    }
}
