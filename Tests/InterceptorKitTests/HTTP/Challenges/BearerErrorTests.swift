import Expectations
import InterceptorKit
import Testing

@Suite("HTTP.Challenge.BearerError")
struct BearerErrorTests {
    @Test("reads why a bearer token was refused")
    func bearer() throws {
        let text = #"Bearer error="insufficient_scope", scope="a b", error_description="More.""#
        let challenge = try HTTP.Challenge.parse([text])[0]

        expectEqual(challenge.bearerError, .insufficientScope)
        expectEqual(challenge.scopes, ["a", "b"])
        try expectEqual(HTTP.Challenge.parse(["Bearer"])[0].bearerError, nil)
        try expectEqual(HTTP.Challenge.parse(["Basic error=x"])[0].bearerError, nil)
    }

    @Test("is read of DPoP challenges too, in any case")
    func schemes() throws {
        let challenges = try HTTP.Challenge.parse([#"dpop ERROR="use_dpop_nonce", algs=ES256"#])

        expectEqual(challenges[0].bearerError, .useDPoPNonce)
        expectEqual(challenges[0].scopes, [])
    }
}
