import Expectations
import InterceptorKit
import InterceptorKitAuthentication
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("TokenExchangeSource")
struct TokenExchangeTests {
    @Test("exchanges a newly loaded subject token each time")
    func exchange() async throws {
        let answer = ScriptStep<HTTP.Request>.json(
            #"{"access_token":"x","issued_token_type":"urn:y","token_type":"Bearer"}"#
        )
        let transport = ScriptedTransport<HTTP.Request>(replies: [answer, answer])
        let count = Recorder<Int>()
        let source = TokenExchangeSource(
            at: try endpoint(transport),
            audience: ["billing", "orders"],
            resources: ["https://billing.example.com"],
            requested: .accessToken,
            actor: { TokenExchangeSource.Token("act", kind: .jwt) },
            subject: {
                count.note(1)
                return TokenExchangeSource.Token("sub\(count.entries.count)")
            }
        )

        _ = try await source.load()
        _ = try await source.refresh(nil)

        let kind = "urn:ietf:params:oauth:token-type"
        expectEqual(
            asked(transport.sent[0].input),
            [
                "grant_type": "urn:ietf:params:oauth:grant-type:token-exchange",
                "audience": "billing orders", "resource": "https://billing.example.com",
                "requested_token_type": "\(kind):access_token", "subject_token": "sub1",
                "subject_token_type": "\(kind):access_token", "actor_token": "act",
                "actor_token_type": "\(kind):jwt",
            ]
        )
        expectEqual(asked(transport.sent[1].input)["subject_token"], "sub2")
    }

    @Test("asks for nothing that it was not told, and names no actor without one")
    func bare() async throws {
        let transport = ScriptedTransport<HTTP.Request>(replies: [.json(#"{"access_token":"x"}"#)])
        let source = TokenExchangeSource(at: try endpoint(transport)) { .init("sub", kind: .saml2) }

        _ = try await source.load()

        expectEqual(
            Set(asked(transport.sent[0].input).keys),
            [
                "grant_type", "subject_token", "subject_token_type",
            ]
        )
    }

    @Test("asks the endpoint for nothing if a token to exchange can't be had")
    func noSubject() async throws {
        let transport = ScriptedTransport<HTTP.Request>(replies: [])
        let source = TokenExchangeSource(at: try endpoint(transport), actor: { throw Problem() }) {
            .init("sub")
        }

        await #expect(throws: Problem.self) { try await source.load() }

        expectTrue(transport.sent.isEmpty)
    }

    @Test("names token types as in RFC 8693 section 3")
    func kinds() {
        let kinds: [TokenExchangeSource.Token.Kind] = [
            .accessToken, .refreshToken, .idToken, .saml1, .saml2, .jwt,
        ]

        let names = ["access_token", "refresh_token", "id_token", "saml1", "saml2", "jwt"]
        expectEqual(
            kinds.map(\.description),
            names.map { "urn:ietf:params:oauth:token-type:\($0)" }
        )
    }
}
