import InterceptorKit
import Testing

@Suite("HTTP.Challenge.BearerError")
struct BearerErrorTests {
    @Test("reads why a bearer token was refused")
    func bearer() throws {
        let text = #"Bearer error="insufficient_scope", scope="a b", error_description="More.""#
        let error = try HTTP.Challenge.parse([text])[0].bearerError

        #expect(error?.code == .insufficientScope)
        #expect(error?.scopes == ["a", "b"])
        #expect(error?.text == "More.")
        #expect(try HTTP.Challenge.parse(["Bearer"])[0].bearerError == nil)
        #expect(try HTTP.Challenge.parse(["Basic error=x"])[0].bearerError == nil)
    }

    @Test("is read of DPoP challenges too, in any case")
    func schemes() throws {
        let challenges = try HTTP.Challenge.parse([#"dpop ERROR="use_dpop_nonce", algs=ES256"#])

        let error = challenges[0].bearerError

        #expect(error?.code == .useDPoPNonce)
        #expect(error?.text == nil)
        #expect(error?.scopes == [])
    }
}
