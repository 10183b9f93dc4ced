import Expectations
import InterceptorKit
import InterceptorKitSigning
import Testing

@Suite("TemplateScheme.Claim")
struct TemplateParsedSignatureTests: TemplateSigningSuite {
    @Test("names the key that a request is signed with")
    func parsedSignatures() throws {
        let signed = try TemplateScheme.oauth1().sign(
            .get("https://h.example/"),
            SigningContext(
                key: .oauth1(consumerKey: "app", consumerSecret: "s"),
                freshness: context.freshness
            )
        )

        expectEqual(TemplateScheme.oauth1().keyID(of: signed), "app")
        expectEqual(TemplateScheme.oauth1().nonce(of: signed), "0011")
        expectEqual(TemplateScheme.slack.keyID(of: signed), nil)
    }

    @Test("refuses values without a separator between them")
    func ambiguous() throws {
        let scheme = TemplateScheme(
            signing: "\(.keyID)\(.nonce)",
            with: .hmac(.sha256),
            in: .field("Sign", "\(.keyID)\(.nonce) \(.signature)")
        )

        let signed = try scheme.sign(.get("https://h.example/"), context)

        expectEqual(signed.headers["Sign"]?.hasPrefix("app-10011 "), true)
        expectEqual(scheme.keyID(of: signed), nil)
        expectTrue(!scheme.isGenuine(signed, with: key, date: now))
    }

    @Test("accepts any of several signatures, beside unknown elements")
    func list() throws {
        let scheme = TemplateScheme.stripe()
        var signed = try scheme.sign(.post("https://h.example/", body: "{}"), context)
        let right = try unwrap(signed.headers["Stripe-Signature"])
        let bogus = String(repeating: "0", count: 64)

        signed.headers["Stripe-Signature"] = "v0=\(bogus), \(right),v1=\(bogus)"
        expectTrue(scheme.isGenuine(signed, with: key, date: now))
        signed.headers["Stripe-Signature"] = "t=5,\(right)"
        expectTrue(!scheme.isGenuine(signed, with: key, date: now))
        signed.headers["Stripe-Signature"] = "t=1700000000,v0=\(right.suffix(64))"
        expectTrue(!scheme.isGenuine(signed, with: key, date: now))
    }

    @Test("refuses a time in another spelling than the signed one")
    func time() throws {
        let scheme = TemplateScheme.stripe()
        var signed = try scheme.sign(.post("https://h.example/", body: "{}"), context)

        signed.headers["Stripe-Signature"] = signed.headers["Stripe-Signature"]?
            .replacing("t=", with: "t=0")

        expectTrue(!scheme.isGenuine(signed, with: key, date: now))
    }

    @Test("verifies an OAuth signature beside an uncovered realm")
    func realm() throws {
        let scheme = TemplateScheme.oauth1()
        let key = SigningKey.oauth1(consumerKey: "app", consumerSecret: "s")
        var signed = try scheme.sign(
            .get("https://h.example/?a=1"),
            SigningContext(key: key, freshness: context.freshness)
        )

        // The word before is a scheme's name, in any case (RFC 5849 section 3.5.1).
        signed.headers["Authorization"] = signed.headers["Authorization"]?
            .replacing("OAuth ", with: "oauth realm=\"Photos\", ")

        expectTrue(scheme.isGenuine(signed, with: key, date: now))
    }
}
