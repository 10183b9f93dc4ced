import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestRun
import Testing

@Suite("ChallengeParser", .processorBound)
struct ChallengeParserTests {
    @Test(
        "reads the challenges of RFC 9110, RFC 6750 and RFC 7616",
        arguments: [
            (
                #"Basic realm="simple", Newauth realm="apps", type=1, title="Login to \"apps\"""#,
                [
                    "Basic", "realm", "simple", "Newauth", "realm", "apps", "type", "1", "title",
                    #"Login to "apps""#,
                ]
            ),
            (
                #"Bearer realm="example", error="invalid_token", "#
                    + #"error_description="The access token expired""#,
                [
                    "Bearer", "realm", "example", "error", "invalid_token", "error_description",
                    "The access token expired",
                ]
            ),
            (
                #"Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=SHA-256, "#
                    + #"nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", "#
                    + #"opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS""#,
                [
                    "Digest", "realm", "http-auth@example.org", "qop", "auth, auth-int",
                    "algorithm", "SHA-256", "nonce", "7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v",
                    "opaque", "FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS",
                ]
            ),
        ]
    )
    func published(field: String, words: [String]) throws {
        let challenges = try HTTP.Challenge.parse([field])

        let found = challenges.flatMap { challenge in
            [challenge.scheme] + challenge.parameters.flatMap { [$0.name, $0.value] }
        }
        expectEqual(found, words)
    }

    @Test("treats a scheme without a following space as one without parameters")
    func bareScheme() throws {
        let challenges = try HTTP.Challenge.parse(["Newauth, Basic"])

        expectEqual(challenges.map(\.scheme), ["Newauth", "Basic"])
        #expect(throws: HTTP.FieldError.self) {
            try HTTP.Challenge.parse([#"Basic, realm="foo""#])
        }
    }

    @Test("parses parameters without a scheme")
    func parameters() throws {
        let parameters = try HTTP.Challenge.parseParameters(#"nextnonce="n2", qop=auth"#)

        expectEqual(parameters.map(\.name), ["nextnonce", "qop"])
        expectEqual(parameters.map(\.value), ["n2", "auth"])
        #expect(throws: HTTP.FieldError.self) {
            try HTTP.Challenge.parseParameters("a=b, c")
        }
    }

    @Test("reports where parsing failed, and shows nothing of the text")
    func error() {
        let error = #expect(throws: HTTP.FieldError.self) {
            try HTTP.Challenge.parse([#"Basic realm="s3cret"#])
        }

        expectEqual(
            error?.message,
            "At byte 19 of the field, a challenge must have a closing quote (RFC 9110 section 11.3)."
        )
    }

    @Test("parses or refuses any text, and terminates")
    func fuzz() {
        var generator = SeededGenerator(seed: 7)
        let alphabet = Array(#"Basic ab=",\ \"#.utf8) + [0xC3, 0xA4, 0x09, 0x00]
        for _ in 0..<20_000 {
            let length = Int.random(in: 0..<40, using: &generator)
            let bytes = (0..<length).map { _ in alphabet.randomElement(using: &generator) ?? 0 }
            let text = String(decoding: bytes, as: UTF8.self)
            let challenges = (try? HTTP.Challenge.parse([text])) ?? []
            expectTrue(challenges.allSatisfy { !$0.scheme.isEmpty })
        }
    }
}
