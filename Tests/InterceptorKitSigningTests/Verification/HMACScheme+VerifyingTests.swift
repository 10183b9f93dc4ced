import Expectations
import Foundation
import InterceptorKit
import InterceptorKitSigning
import Testing

@Suite("HMACScheme, verifying")
struct HMACSchemeVerifyingTests: TemplateSigningSuite {
    private func isGenuine(_ request: HTTP.Request, _ scheme: HMACScheme) -> Bool {
        scheme.isGenuine(request, with: key, date: now)
    }

    private func changing(_ part: String, to other: String) throws -> HTTP.Request {
        var request = try HMACScheme(coversBody: false).sign(.get("https://h.example/"), context)
        let field = try unwrap(request.headers["X-Signature"])
        expectTrue(field.contains(part))
        request.headers["X-Signature"] = field.replacing(part, with: other)
        return request
    }

    @Test(
        "refuses a time in another spelling than the signed one",
        arguments: ["created=+", "created=0", "created=+0", "created=-"]
    )
    func time(spelling: String) throws {
        expectTrue(
            isGenuine(try changing("created=", to: "created="), HMACScheme(coversBody: false))
        )
        expectTrue(
            !isGenuine(try changing("created=", to: spelling), HMACScheme(coversBody: false))
        )
    }

    @Test("refuses a covered field whose bytes a server's parser may change")
    func replacedBytes() throws {
        let scheme = HMACScheme(coversBody: false)
        var request = HTTP.Request.get(
            "https://h.example/",
            headers: ["Content-Type": "a/\u{FFFD}"]
        )
        expectTrue(!isGenuine(try scheme.sign(request, context), scheme))

        request.headers["Content-Type"] = "a/b"
        request.headers["X-Other"] = "\u{FFFD}"
        expectTrue(isGenuine(try scheme.sign(request, context), scheme))
    }

    @Test("claims nothing by a field with a part missing, repeated or valueless")
    func malformedField() throws {
        for (part, other) in [
            ("created=", "keyid=\"app-1\", created="), ("keyid=", "keyid "), ("keyid=", "other="),
            ("created=", "made="), ("hmac=", "code="),
        ] {
            let request = try changing(part, to: other)

            expectEqual(HMACScheme(coversBody: false).keyID(of: request), nil, "\(part) → \(other)")
            expectTrue(!isGenuine(request, HMACScheme(coversBody: false)))
        }
    }

    @Test("claims nothing by parameters of which one is missing or there twice")
    func parameters() throws {
        let scheme = HMACScheme(
            .parameters(keyID: "k", timestamp: "t", nonce: "n", signature: "s"),
            coversBody: false
        )
        let signed = try scheme.sign(.get("https://h.example/?a=1"), context)
        expectEqual(scheme.keyID(of: signed), "app-1")
        expectEqual(scheme.nonce(of: signed), "0011")
        expectTrue(isGenuine(signed, scheme))

        for name in ["k", "t", "n", "s"] {
            var changed = signed
            changed.url = signed.url.appending(query: [name: "1"])
            expectEqual(scheme.keyID(of: changed), nil, "\(name)")
            changed.url = HTTP.URL(
                unvalidated: signed.url.text.replacing("&\(name)=", with: "&other=")
            )
            expectEqual(scheme.keyID(of: changed), nil, "\(name)")
        }
    }
}
