import Expectations
import InterceptorKit
import Testing

@Suite("HTTP.Challenge")
struct ChallengeTests {
    @Test("keeps the challenges of a field apart, each with its parameters")
    func several() throws {
        let challenges = try HTTP.Challenge.parse([
            #"Newauth realm="apps", type=1, title="Login to \"apps\"", Basic realm="simple""#,
            "Negotiate YIIC+a/b==",
        ])

        expectEqual(challenges.map(\.scheme), ["Newauth", "Basic", "Negotiate"])
        expectEqual(challenges[0]["TITLE"], #"Login to "apps""#)
        expectEqual(challenges[1].realm, "simple")
        expectEqual(challenges[2].token68, "YIIC+a/b==")
    }

    @Test("skips a malformed field line and keeps the others")
    func malformedLine() {
        let headers: HTTP.Headers = [
            "WWW-Authenticate": #"Basic realm="no end"#, "www-authenticate": "Bearer",
        ]

        expectEqual(headers.challenges().map(\.scheme), ["Bearer"])
    }

    @Test("takes the last of a repeated parameter")
    func repeated() throws {
        let challenge = try HTTP.Challenge.parse(["Digest nonce=1, nonce=2"])[0]

        expectEqual(challenge["nonce"], "2")
    }

    @Test("shows no values in descriptions and dumps")
    func description() throws {
        let challenge = try HTTP.Challenge.parse([#"Digest realm="r", nonce="s3cret""#])[0]
        var dumped = ""
        dump(challenge, to: &dumped)

        expectEqual("\(challenge)", "Digest (realm, nonce)")
        expectTrue(!dumped.contains("s3cret"))
    }
}
