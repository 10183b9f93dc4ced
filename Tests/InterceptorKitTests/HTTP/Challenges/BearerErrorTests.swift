import Expectations
import InterceptorKit
import Testing

@Suite("HTTP.Challenge.BearerError")
struct BearerErrorTests {
    @Test("reads why a bearer token was refused")
    func bearer() throws {
        let text = #"Bearer error="insufficient_scope", scope="a b", error_description="More.""#
        let error = try HTTP.Challenge.parse([text])[0].bearerError

        expectEqual(error?.code, .insufficientScope)
        expectEqual(error?.scopes, ["a", "b"])
        expectEqual(error?.text, "More.")
        try expectEqual(HTTP.Challenge.parse(["Bearer"])[0].bearerError, nil)
        try expectEqual(HTTP.Challenge.parse(["Basic error=x"])[0].bearerError, nil)
    }

    @Test("is read of DPoP challenges too, in any case")
    func schemes() throws {
        let challenges = try HTTP.Challenge.parse([#"dpop ERROR="use_dpop_nonce", algs=ES256"#])

        let error = challenges[0].bearerError

        expectEqual(error?.code, .useDPoPNonce)
        expectEqual(error?.text, nil)
        expectEqual(error?.scopes, [])
    }
}
