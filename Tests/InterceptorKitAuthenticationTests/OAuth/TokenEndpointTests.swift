import Foundation
import InterceptorKit
import InterceptorKitAuthentication
import InterceptorKitTesting
import TestSupport
import Testing

/// What a token endpoint was asked, by parameter.
func asked(_ request: HTTP.Request) -> [String: String] {
    let text = String(decoding: request.body.inMemory ?? Data(), as: UTF8.self)
    let pairs = HTTP.URL("https://a.example/?" + text).queryParameters
    return Dictionary(pairs.map { ($0.name, $0.value) }) { first, last in "\(first) \(last)" }
}

func endpoint(
    _ transport: ScriptedTransport<HTTP.Request>,
    client: OAuthClient = .basic(id: "app", secret: "s3cret"),
    runtime: Runtime = .live
) throws -> TokenEndpoint {
    TokenEndpoint(
        "https://login.example.com/token",
        client: client,
        pipeline: try Pipeline(transport: transport, runtime: runtime) {}
    )
}

@Suite("TokenEndpoint")
struct TokenEndpointTests {
    @Test("authenticates the client by Basic, with form-encoded id and secret")
    func basicProof() async throws {
        let transport = ScriptedTransport<HTTP.Request>(replies: [
            .json(#"{"access_token":"a1","token_type":"Bearer","expires_in":60}"#)
        ])
        let client = OAuthClient.basic(id: "app:1", secret: "p%ss wörd")
        let source = ClientCredentials(
            at: try endpoint(transport, client: client),
            scopes: ["a", "b"],
            parameters: ["audience": "x"]
        )

        let credential = try #require(try await source.load())

        let sent = transport.sent[0].input
        let expected = Data("app%3A1:p%25ss%20w%C3%B6rd".utf8).base64EncodedString()
        #expect(sent.headers["Authorization"] == "Basic \(expected)")
        #expect(sent.headers["Content-Type"] == "application/x-www-form-urlencoded")
        #expect(sent.method == .post)
        #expect(
            asked(sent) == ["grant_type": "client_credentials", "scope": "a b", "audience": "x"]
        )
        #expect(credential.expiresAt != nil)
        #expect(credential.refreshToken == nil)
    }

    @Test("authenticates in the body if told to, and a public client by its id")
    func otherProofs() async throws {
        let answer = ScriptStep<HTTP.Request>.json(#"{"access_token":"a1"}"#)
        let transport = ScriptedTransport<HTTP.Request>(replies: [answer, answer])

        let post = OAuthClient.post(id: "app", secret: "s&=")
        _ = try await ClientCredentials(at: endpoint(transport, client: post)).load()
        let bare = OAuthClient.public(id: "app")
        _ = try await ClientCredentials(at: endpoint(transport, client: bare)).load()

        #expect(asked(transport.sent[0].input)["client_secret"] == "s&=")
        #expect(transport.sent[0].input.headers["Authorization"] == nil)
        #expect(
            asked(transport.sent[1].input) == [
                "grant_type": "client_credentials", "client_id": "app",
            ]
        )
    }

    @Test("reads a slow response for no longer than 30 s")
    func drippingAnswer() async throws {
        try await onEverySeed(0..<50) { simulation in
            let stream = PausingStream(1, every: .seconds(1), times: 3600, simulation.runtime)
            let transport = ScriptedTransport<HTTP.Request>(replies: [
                .status(200, body: .oneShot(stream)).after(.seconds(12))
            ])
            let source = ClientCredentials(
                at: try endpoint(transport, runtime: simulation.runtime)
            )

            let error = await #expect(throws: TimeoutError.self) { try await source.load() }

            try #require(error?.code == .bodyTotal)
            try #require(simulation.now.offset == .seconds(30))
            try #require(!stream.cancels.entries.isEmpty)
        }
    }

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
            let source = ClientCredentials(
                at: try endpoint(transport, runtime: simulation.runtime)
            )
            let credential = try await source.load()

            try #require(
                credential?.expiresAt == seconds.map { Simulation.startDate.addingTimeInterval($0) }
            )
        }
    }

    @Test(
        "explains a response without a usable token",
        arguments: [
            (200, "", "malformedAnswer"), (200, "<html>", "malformedAnswer"),
            (200, "[]", "malformedAnswer"), (200, #"{"token_type":"bearer"}"#, "malformedAnswer"),
            (200, #"{"access_token":""}"#, "malformedAnswer"),
            (200, #"{"access_token":7}"#, "malformedAnswer"),
            (200, #"{"access_token":"a\r\nX: y"}"#, "malformedAnswer"),
            (200, #"{"access_token":"a","refresh_token":"b c"}"#, "malformedAnswer"),
            (200, #"{"access_token":"a","token_type":"mac"}"#, "unsupportedTokenType"),
            (200, #"{"access_token":"a","token_type":"N_A"}"#, "unsupportedTokenType"),
            (200, String(repeating: " ", count: 70_000), "malformedAnswer"),
            (503, "<html>", "refused"), (404, "{}", "refused"), (302, "", "refused"),
            (400, #"{"error":"invalid_grant"}"#, "invalid_grant"),
            (401, #"{"error":"invalid_client","error_description":"No."}"#, "invalid_client"),
            (400, #"{"error":"own_error"}"#, "own_error"),
        ] as [(Int, String, String)]
    )
    func unusable(status: Int, text: String, code: String) async throws {
        let transport = ScriptedTransport<HTTP.Request> { _, _ in
            HTTP.Response(HTTP.Status(status), body: .text(text))
        }
        let source = ClientCredentials(at: try endpoint(transport))

        let error = await #expect(throws: OAuthError.self) { try await source.load() }

        #expect(error?.code.description == code)
        #expect(error?.status.code == status)
        #expect(error?.endsSession == (code == "invalid_grant"))
    }

    @Test("accepts a response of 64 KiB, and none that is a byte longer")
    func longAnswer() async throws {
        let answer = #"{"access_token":"a","refresh_token":"r"}"#
        let transport = ScriptedTransport<HTTP.Request>(
            replies: [64 * 1024, 64 * 1024 + 1].map { length in
                .json(answer + String(repeating: " ", count: length - answer.utf8.count))
            }
        )
        let source = ClientCredentials(at: try endpoint(transport))

        let credential = try await source.load()
        let error = await #expect(throws: OAuthError.self) { try await source.load() }

        #expect(credential?.refreshToken == "r")
        #expect(error?.code == .malformedAnswer)
    }

    @Test("truncates the server's error code to 80 characters")
    func longCode() async throws {
        let name = String(repeating: "e", count: 1000)
        let transport = ScriptedTransport<HTTP.Request> { _, _ in
            HTTP.Response(400, body: .text(#"{"error":"\#(name)"}"#))
        }
        let source = ClientCredentials(at: try endpoint(transport))

        let error = await #expect(throws: OAuthError.self) { try await source.load() }

        #expect(error?.code.description.count == 80)
    }

    @Test("names errors as in RFC 6749 section 5.2 and RFC 8693 section 2.2.2")
    func codes() {
        let codes: [OAuthError.Code] = [
            .invalidRequest, .invalidClient, .invalidGrant, .unauthorizedClient,
            .unsupportedGrantType, .invalidScope, .invalidTarget,
        ]

        #expect(
            codes.map(\.description) == [
                "invalid_request", "invalid_client", "invalid_grant", "unauthorized_client",
                "unsupported_grant_type", "invalid_scope", "invalid_target",
            ]
        )
    }

    @Test("never repeats a secret, even if the server does")
    func secrets() async throws {
        let transport = ScriptedTransport<HTTP.Request> { request, _ in
            let text = asked(request)["refresh_token"] ?? request.headers["Authorization"] ?? ""
            return HTTP.Response(
                400,
                body: .text(#"{"error":"invalid_grant","error_description":"no \#(text), s3cret"}"#)
            )
        }
        let endpoint = try endpoint(transport)
        let source = RefreshTokens(at: endpoint)

        let error = await #expect(throws: OAuthError.self) {
            try await source.refresh(.bearer("a0", refreshToken: "r-0-secret"))
        }

        var dumped = "\(error as Any)"
        dump((endpoint, source, error as Any), to: &dumped)
        dump(OAuthClient.post(id: "app", secret: "s3cret"), to: &dumped)
        dump(TokenExchange.Token("r-0-secret"), to: &dumped)
        let exchange = TokenExchange(at: endpoint, audience: ["s3cret"]) { .init("r-0-secret") }
        dump(exchange, to: &dumped)
        dump(ClientCredentials(at: endpoint, parameters: ["key": "s3cret"]), to: &dumped)
        #expect(!dumped.contains("s3cret"))
        #expect(!dumped.contains("r-0-secret"))
        #expect(dumped.contains("sign in"))
    }

    @Test("fails after its time limit")
    func timeout() async throws {
        try await onEverySeed(0..<20) { simulation in
            let transport = ScriptedTransport<HTTP.Request> { _, call in
                try await call.runtime.sleep(for: call.remaining ?? .seconds(1000))
                throw TransportError(.timedOut, "Too late.")
            }
            let source = ClientCredentials(
                at: try endpoint(transport, runtime: simulation.runtime)
            )
            let error = try await #require(throws: TransportError.self) {
                try await source.load()
            }
            try #require(error.code == .timedOut)
            try #require(simulation.now.offset == .seconds(30))
        }
    }
}
