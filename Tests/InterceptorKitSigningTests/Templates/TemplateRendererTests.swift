import Expectations
import Foundation
import InterceptorKit
import InterceptorKitSigning
import Testing

@Suite("TemplateRenderer")
struct TemplateRendererTests: TemplateSigningSuite {
    private struct PrivateKey: MessageSigner {
        var algorithm: SignatureAlgorithm { .ecdsaP256SHA256 }

        func signature(of message: [UInt8]) -> [UInt8] { [] }
    }

    @Test("refuses private keys, invalid dates and bodies not in memory")
    func badInput() {
        let scheme = TemplateScheme.slack
        let stream = HTTP.Body.replayable { AsyncStream<Data> { $0.finish() } }
        let signer = SigningContext(
            key: SigningKey(id: "a", signer: PrivateKey()),
            freshness: context.freshness
        )
        let never = SigningContext(
            key: key,
            freshness: SignatureFreshness(date: Date(timeIntervalSince1970: .nan), nonce: "")
        )

        #expect {
            try scheme.sign(.get("https://h.example/"), signer)
        } throws: { ($0 as? SigningError)?.code == .unsuitableKey }
        #expect {
            try scheme.sign(.get("https://h.example/"), never)
        } throws: { ($0 as? SigningError)?.code == .invalidDate }
        #expect {
            try scheme.sign(.post("https://h.example/", body: stream), context)
        } throws: { ($0 as? SigningError)?.code == .unsignableBody }
        let signed = try? scheme.sign(.get("https://h.example/"), context)
        expectTrue(
            !scheme.isGenuine(
                signed ?? .get("/"),
                with: key,
                date: Date(timeIntervalSince1970: .nan)
            )
        )
    }

    @Test("reads a form's parameters by its media type, in any case")
    func forms() throws {
        let scheme = TemplateScheme(
            signing: "\(.parameters()) \(.bodyHash(.sha256, skipsForms: true))",
            with: .hmac(.sha256),
            in: .field("Sign", "\(.signature)")
        )
        func text(_ type: String?) throws -> String {
            var request = HTTP.Request.post("https://h.example/?q=1", body: "b=2&a=3")
            request.headers["Content-Type"] = type
            return try scheme.explain(request, context).stringToSign
        }
        let hash = HashAlgorithm.sha256.hash("b=2&a=3".utf8).hexadecimal

        try expectEqual(text("application/x-www-form-urlencoded"), "a=3&b=2&q=1 ")
        try expectEqual(text("Application/X-WWW-Form-Urlencoded ; charset=utf-8"), "a=3&b=2&q=1 ")
        for type in ["text/plain", "application/x-www-form-urlencoded2", nil] {
            try expectEqual(text(type), "q=1 \(hash)")
        }
    }

    @Test("writes the parts of a URL as on the wire, without its fragment")
    func urls() throws {
        let scheme = TemplateScheme(
            signing: "\(.url) \(.baseURL) \(.path) [\(.query)] \(.requestTarget) \(.host)",
            with: .hmac(.sha256),
            in: .field("Sign", "\(.signature)")
        )
        func text(_ url: HTTP.URL) throws -> String {
            try scheme.explain(.get(url), context).stringToSign
        }

        try expectEqual(
            text("https://H.example:443/a%20b?c=%ff#part"),
            "https://H.example:443/a%20b?c=%ff https://h.example/a%20b /a%20b [c=%ff] "
                + "/a%20b?c=%ff h.example"
        )
        try expectEqual(
            text("https://h.example:8443"),
            "https://h.example:8443 https://h.example:8443/ / [] / h.example:8443"
        )
    }
}
