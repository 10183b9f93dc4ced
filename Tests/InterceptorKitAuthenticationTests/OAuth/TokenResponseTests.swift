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
