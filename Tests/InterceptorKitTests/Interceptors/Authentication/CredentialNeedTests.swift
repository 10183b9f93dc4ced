import Expectations
import InterceptorKit
import Testing

@Suite("CredentialNeed")
struct CredentialNeedTests {
    private func need(
        _ challenges: String...,
        status: HTTP.Status = 401,
        nonce: String? = nil
    ) -> CredentialNeed? {
        var response = HTTP.Response(status)
        for challenge in challenges {
            response.headers.append(name: "WWW-Authenticate", value: challenge)
        }
        response.headers["DPoP-Nonce"] = nonce
        return CredentialNeed(in: response)
    }

    @Test("reads the challenges of the standards, as their examples have them")
    func standards() {
        let claims = #"{"access_token":{"nbf":{"essential":true,"value":"1604106651"}}}"#
        let base64 =
            "eyJhY2Nlc3NfdG9rZW4iOnsibmJmIjp7ImVzc2VudGlhbCI6dHJ1ZSwidmFsdWUiOiIxNjA0MTA2NjUxIn19fQ"
        let rows: [(CredentialNeed?, CredentialNeed?)] = [
            (
                need(#"Bearer realm="x", error="insufficient_scope", scope="b a b""#, status: 403),
                CredentialNeed(.insufficientScope, scopes: ["a", "b"])
            ),
            (need(#"Bearer error="insufficient_scope""#), CredentialNeed(.insufficientScope)),
            // RFC 9470 section 3.
            (
                need(
                    #"Bearer error="insufficient_user_authentication", error_description="A different authentication level is required", acr_values="myACR""#
                ),
                CredentialNeed(.insufficientUserAuthentication, acrValues: ["myACR"])
            ),
            (
                need(#"Bearer error="insufficient_user_authentication", max_age="5""#),
                CredentialNeed(.insufficientUserAuthentication, maxAge: .seconds(5))
            ),
            (
                need(
                    #"DPoP error="insufficient_user_authentication", acr_values="b a", scope="s""#
                ),
                CredentialNeed(
                    .insufficientUserAuthentication,
                    scopes: ["s"],
                    acrValues: ["b", "a"]
                )
            ),
            // As Microsoft's services send it, with padding or without, and as JSON itself.
            (
                need(#"Bearer realm="", error="insufficient_claims", claims="\#(base64)""#),
                CredentialNeed(.insufficientClaims, claims: claims)
            ),
            (
                need(#"Bearer error="insufficient_claims", claims="\#(base64)==""#),
                CredentialNeed(.insufficientClaims, claims: claims)
            ),
            (
                need(#"Bearer error="insufficient_claims", claims="{\"a\":1}""#),
                CredentialNeed(.insufficientClaims, claims: #"{"a":1}"#)
            ),
            // RFC 9449 section 9.
            (
                need(#"DPoP error="use_dpop_nonce", error_description="…""#, nonce: "eyJ7S_zG"),
                CredentialNeed(.useDPoPNonce, nonce: "eyJ7S_zG")
            ),
            (
                need(#"Bearer error="insufficient_scope""#, nonce: "n"),
                CredentialNeed(.insufficientScope)
            ),
            (
                need(#"Basic realm="x""#, #"Bearer error="insufficient_scope", scope="a""#),
                CredentialNeed(.insufficientScope, scopes: ["a"])
            ),
        ]

        for (read, expected) in rows { expectEqual(read, expected) }
    }

    @Test("reads no need from anything else, nor what is too long or no number")
    func others() {
        let long = String(repeating: "a", count: 5000)
        expectEqual(need(), nil)
        expectEqual(need("Bearer"), nil)
        expectEqual(need(#"Bearer error="invalid_token""#), nil)
        expectEqual(need(#"Bearer error="own_error", scope="a""#), nil)
        expectEqual(need(#"Basic error="insufficient_scope""#), nil)
        expectEqual(need(#"Bearer error="insufficient_scope""#, status: 400), nil)
        expectEqual(
            need(#"Bearer error="insufficient_scope""#, #"DPoP error="invalid_token""#),
            nil
        )
        expectEqual(need(#"Bearer error="insufficient_scope", scope="\#(long)""#), nil)
        expectEqual(need(#"DPoP error="use_dpop_nonce""#, nonce: long)?.nonce, nil)
        for age in ["-1", "5.0", "", "٥", "9999999999999", " 5"] {
            let challenge = #"Bearer error="insufficient_user_authentication", max_age="\#(age)""#
            expectEqual(need(challenge)?.maxAge, nil, "\(age)")
        }
    }

    @Test("shows its reason alone")
    func shown() {
        let need = CredentialNeed(.init("own\nreason"), scopes: ["s3cret"], claims: "s3cret")
        let context = RefreshContext(
            response: HTTP.Response(
                401,
                headers: ["Set-Cookie": "s3cret", "WWW-Authenticate": #"Bearer error="s3cret""#],
                body: "s3cret",
                request: .get(
                    "https://a.example/?token=s3cret",
                    headers: ["Authorization": "Bearer s3cret"]
                )
            ),
            need: need
        )
        var shown = "\(need) \(context)"
        dump(context, to: &shown)
        debugPrint(need, context, to: &shown)

        expectTrue(!shown.contains("s3cret"))
        expectEqual("\(need)", #""own\nreason""#)
    }
}
