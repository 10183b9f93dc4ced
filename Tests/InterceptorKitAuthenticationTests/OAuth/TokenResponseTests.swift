import Expectations
import Foundation
import InterceptorKitTesting
import TestSupport
import Testing

@testable import InterceptorKit
@testable import InterceptorKitAuthentication

@Suite("TokenResponse")
struct TokenResponseTests {
    @Test(
        "bounds the lifetime of a token",
        arguments: [
            ("60", 60), (#""90""#, 90), ("1e300", 366 * 86_400), ("99999999999", 366 * 86_400),
            ("1", 1), ("0", nil), ("-5", nil), (#""soon""#, nil), ("null", nil), ("true", nil),
            ("{}", nil),
        ] as [(String, Double?)]
    )
    func lifetime(text: String, seconds: Double?) async throws {
        try await onEverySeed(0..<1) { simulation in
            let transport = ScriptedTransport<HTTP.Request>(replies: [
                .json(#"{"access_token":"a1","token_type":"bearer","expires_in":\#(text)}"#)
            ])
            let source = ClientCredentialsSource(
                at: try endpoint(transport, runtime: simulation.runtime)
            )
            let credential = try await source.load()

            try requireEqual(
                credential?.expiresAt,
                seconds.map { Simulation.startDate.addingTimeInterval($0) }
            )
        }
    }

    @Test(
        "needs a token alone, and ignores other members of the wrong type",
        arguments: [
            (#"{"access_token":"a","token_type":1,"refresh_token":[]}"#, nil),
            (#"{"access_token":"a","refresh_token":null,"scope":7}"#, nil),
            (#"{"access_token":"a","refresh_token":""}"#, nil),
            (#"{"access_token":"a","refresh_token":"r"}"#, "r"),
        ] as [(String, String?)]
    )
    func members(text: String, refreshToken: String?) throws {
        let answer = try JSONDecoder().decode(TokenResponse.self, from: Data(text.utf8))

        expectEqual(answer.accessToken, "a")
        expectEqual(answer.tokenType, nil)
        expectEqual(answer.refreshToken, refreshToken)
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(TokenResponse.self, from: Data(#"{"access_token":null}"#.utf8))
        }
    }

    /// Responses in the form of each service's documentation, with other tokens.
    @Test(
        "reads a token as each vendor sends it",
        arguments: [
            // Twitch: the scopes as a list.
            (
                #"{"access_token":"a","expires_in":14346,"refresh_token":"r","scope":["user:read:email"],"token_type":"bearer"}"#,
                14_346, "r"
            ),
            // Azure AD 1.0: numbers as text.
            (
                #"{"token_type":"Bearer","expires_in":"3600","ext_expires_in":"3600","expires_on":"1388444763","resource":"https://x.example","access_token":"a","refresh_token":"r","scope":"a b"}"#,
                3600, "r"
            ),
            // GitHub: scopes with commas, and no time.
            (#"{"access_token":"a","scope":"repo,gist","token_type":"bearer"}"#, nil, nil),
            // Slack: `ok`, and the user's token within another member.
            (
                #"{"ok":true,"access_token":"a","token_type":"bot","scope":"commands","expires_in":43200,"refresh_token":"r","authed_user":{"id":"U"}}"#,
                43_200, "r"
            ),
            // Stripe, Shopify: no time, or no type.
            (#"{"access_token":"a","scope":"write_orders,read_customers"}"#, nil, nil),
            (
                #"{"access_token":"a","livemode":false,"refresh_token":"r","token_type":"bearer","scope":"express"}"#,
                nil, "r"
            ),
        ] as [(String, Double?, String?)]
    )
    func vendors(text: String, seconds: Double?, refreshToken: String?) throws {
        let answer = try JSONDecoder().decode(TokenResponse.self, from: Data(text.utf8))

        expectEqual(answer.accessToken, "a")
        expectEqual(answer.expiresIn, seconds)
        expectEqual(answer.refreshToken, refreshToken)
    }

    @Test("takes a refusal by its error, whatever it describes")
    func refusal() throws {
        func refusal(_ text: String) throws -> TokenErrorResponse {
            try JSONDecoder().decode(TokenErrorResponse.self, from: Data(text.utf8))
        }

        try expectEqual(refusal(#"{"error":"e","error_description":"No."}"#).text, "No.")
        try expectEqual(refusal(#"{"error":"e","error_description":{}}"#).text, nil)
        #expect(throws: DecodingError.self) { try refusal(#"{"error_description":"No."}"#) }
    }
}
