import Expectations
import Foundation
import InterceptorKit
import InterceptorKitAuthentication
import InterceptorKitTesting
import Testing

@Suite("OAuthClient")
struct OAuthClientTests {
    @Test("authenticates the client by Basic, with form-encoded id and secret")
    func basicProof() async throws {
        let transport = ScriptedTransport<HTTP.Request>(replies: [
            .json(#"{"access_token":"a1","token_type":"Bearer","expires_in":60}"#)
        ])
        let client = OAuthClient.basic(id: "app:1", secret: "p%ss wörd")
        let source = ClientCredentialsSource(
            at: try endpoint(transport, client: client),
            scopes: ["a", "b"],
            parameters: ["audience": "x"]
        )

        let credential = try await unwrap(source.load())

        let sent = transport.sent[0].input
        let expected = Data("app%3A1:p%25ss%20w%C3%B6rd".utf8).base64EncodedString()
        expectEqual(sent.headers["Authorization"], "Basic \(expected)")
        expectEqual(sent.headers["Content-Type"], "application/x-www-form-urlencoded")
        expectEqual(sent.method, .post)
        expectEqual(
            asked(sent),
            ["grant_type": "client_credentials", "scope": "a b", "audience": "x"]
        )
        expectTrue(credential.expiresAt != nil)
        expectEqual(credential.refreshToken, nil)
    }

    @Test("authenticates in the body if told to, and a public client by its id")
    func otherProofs() async throws {
        let answer = ScriptStep<HTTP.Request>.json(#"{"access_token":"a1"}"#)
        let transport = ScriptedTransport<HTTP.Request>(replies: [answer, answer])

        let post = OAuthClient.post(id: "app", secret: "s&=")
        _ = try await ClientCredentialsSource(at: endpoint(transport, client: post)).load()
        let bare = OAuthClient.public(id: "app")
        _ = try await ClientCredentialsSource(at: endpoint(transport, client: bare)).load()

        expectEqual(asked(transport.sent[0].input)["client_secret"], "s&=")
        expectEqual(transport.sent[0].input.headers["Authorization"], nil)
        expectEqual(
            asked(transport.sent[1].input),
            [
                "grant_type": "client_credentials", "client_id": "app",
            ]
        )
    }

    @Test("shows its id only")
    func redaction() {
        for client in [
            OAuthClient.basic(id: "app", secret: "s3cret"), .post(id: "app", secret: "s3cret"),
        ] {
            var dumped = "\(client) \(String(reflecting: client))"
            dump(client, to: &dumped)

            expectTrue(dumped.hasPrefix("OAuthClient(app)"))
            expectTrue(!dumped.contains("s3cret"))
        }
    }
}
