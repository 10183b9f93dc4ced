import Expectations
import Foundation
import InterceptorKit
import InterceptorKitSigning
import TestSupport
import Testing

@Suite("TemplateScheme")
struct TemplateSchemeTests: TemplateSigningSuite {
    private static let sortedParameters = TemplateScheme(
        signing: "\(.parameters())&key=\(.secret)",
        with: .hash(.md5),
        as: .uppercaseHexadecimal,
        in: .form("sign", "\(.signature)")
    )

    @Test("builds parameters, text and signature from its template")
    func parameters() throws {
        let scheme = TemplateScheme(
            adding: [.parameter("t", "\(.time(.seconds))")],
            signing: "\(.method) \(.parameters()) \(.secret)",
            with: .hash(.md5),
            as: .uppercaseHexadecimal,
            in: .parameter("sign", "\(.signature)")
        )

        let signed = try scheme.sign(.get("https://h.example/?b=2&a=1%20&t=old"), context)

        let text = "GET a=1 &b=2&t=1700000000 secret"
        let sign = HashAlgorithm.md5.hash(text.utf8).hexadecimal.uppercased()
        expectEqual(signed.url.text, "https://h.example/?b=2&a=1%20&t=1700000000&sign=\(sign)")
        try expectEqual(
            scheme.explain(.get("https://h.example/?b=2&a=1%20"), context).stringToSign,
            "GET a=1 &b=2&t=1700000000 <secret>"
        )
    }

    @Test("appends the signature to a form, or makes one of an empty body")
    func formPlace() throws {
        let scheme = Self.sortedParameters

        let signed = try scheme.sign(.post("https://h.example/?a=1"), context)

        let sign = HashAlgorithm.md5.hash("a=1&key=secret".utf8).hexadecimal.uppercased()
        expectEqual(signed.body.inMemory, Data("sign=\(sign)".utf8))
        expectEqual(signed.headers["Content-Type"], "application/x-www-form-urlencoded")
        expectTrue(scheme.isGenuine(signed, with: key, date: now))
    }

    @Test("refuses to add a parameter to a body that isn't a form")
    func noForm() {
        let request = HTTP.Request.post(
            "https://h.example/",
            headers: ["Content-Type": "application/json"],
            body: "{}"
        )

        #expect {
            try Self.sortedParameters.sign(request, context)
        } throws: { ($0 as? SigningError)?.code == .unsignableBody }
    }

    @Test(
        "refuses signatures older or newer than the tolerance",
        arguments: [
            (-301.0, false), (-300, true), (0, true), (300, true), (301, false),
        ]
    )
    func window(_ age: TimeInterval, _ isFresh: Bool) throws {
        let signed = try TemplateScheme.slack.sign(.post("https://h.example/", body: "a"), context)

        expectEqual(TemplateScheme.slack.isGenuine(signed, with: key, date: now + age), isFresh)
    }

    @Test("refuses a changed or repeated addition, even if it isn't covered")
    func additions() throws {
        let scheme = TemplateScheme(
            adding: [.field("X-Content-Sum", "\(.bodyHash(.sha256))")],
            signing: "\(.method)",
            with: .hmac(.sha256),
            in: .field("Sign", "\(.signature)")
        )
        let request = HTTP.Request.post("https://h.example/", body: "a")
        var changed = try scheme.sign(request, context)
        expectTrue(scheme.isGenuine(changed, with: key, date: now))

        changed.body = "b"
        expectTrue(!scheme.isGenuine(changed, with: key, date: now))
        changed.body = "a"
        changed.headers.append(name: "X-Content-Sum", value: changed.headers["X-Content-Sum"] ?? "")
        expectTrue(!scheme.isGenuine(changed, with: key, date: now))
    }

    @Test("updates a stated Content-Length after adding to the body")
    func length() throws {
        let request = HTTP.Request.post(
            "https://h.example/",
            headers: [
                "Content-Type": "application/x-www-form-urlencoded", "Content-Length": "3",
            ],
            body: "a=1"
        )

        let signed = try Self.sortedParameters.sign(request, context)

        let length = try unwrap(signed.body.length)
        expectTrue(length > 3)
        expectEqual(signed.headers["Content-Length"], "\(length)")
    }

    @Test("refuses a covered field whose bytes a server's parser may change")
    func replacedBytes() throws {
        var request = HTTP.Request.get(
            "https://h.example/",
            headers: ["Content-Type": "a/\u{FFFD}"]
        )
        let scheme = TemplateScheme.aliyunACS3
        expectTrue(!scheme.isGenuine(try scheme.sign(request, context), with: key, date: now))

        request.headers["Content-Type"] = "a/b"
        request.headers["X-Other"] = "\u{FFFD}"
        expectTrue(scheme.isGenuine(try scheme.sign(request, context), with: key, date: now))
    }

    @Test("refuses to put bytes that aren't UTF-8 into a field")
    func bytesInField() {
        let scheme = TemplateScheme(
            adding: [.field("X-Content", "\(.body)")],
            signing: "\(.body)",
            with: .hmac(.sha256),
            in: .field("Sign", "\(.signature)")
        )

        #expect {
            try scheme.sign(.post("https://h.example/", body: .bytes([0xFF])), context)
        } throws: { ($0 as? SigningError)?.code == .invalidScheme }
    }

    @Test("keeps a parameter in place that equals the one to add")
    func parameterInPlace() throws {
        let scheme = TemplateScheme(
            adding: [.parameter("t", "\(.time(.seconds))")],
            signing: "\(.url)",
            with: .hmac(.sha256),
            in: .field("Sign", "\(.signature)")
        )

        let signed = try scheme.sign(.get("https://h.example/?&t=1700000000&a=1"), context)

        expectEqual(signed.url.text, "https://h.example/?&t=1700000000&a=1")
        expectTrue(scheme.isGenuine(signed, with: key, date: now))
    }

    @Test("refuses templates with no or recursive signature, or no secret")
    func validation() {
        let place = TemplateScheme.Addition.field("Sign", "\(.signature)")
        let broken = [
            TemplateScheme(signing: "\(.body)", with: .hmac(.sha256), in: .field("Sign", "x")),
            TemplateScheme(signing: "\(.signature)", with: .hmac(.sha256), in: place),
            TemplateScheme(signing: "\(.body)", with: .hash(.sha256), in: place),
        ]

        for scheme in broken {
            #expect {
                try scheme.validate()
            } throws: { ($0 as? SigningError)?.code == .invalidScheme }
        }
    }

    @Test("refuses a value that would add header fields")
    func injection() {
        let scheme = TemplateScheme(
            adding: [.field("X-Form", "\(.body)")],
            signing: "\(.body)",
            with: .hmac(.sha256),
            in: .field("Sign", "\(.signature)")
        )
        let request = HTTP.Request.post(
            "https://h.example/",
            headers: ["Content-Type": "application/x-www-form-urlencoded"],
            body: "a\r\nX-Evil: 1"
        )

        #expect(throws: HTTP.RequestError.self) { try scheme.sign(request, context) }
    }
}
