import Expectations
import Foundation
import InterceptorKit
import InterceptorKitAuthentication
import InterceptorKitTesting
import TestSupport
import Testing

/// What a token endpoint was asked, by parameter.
func asked(_ request: HTTP.Request) -> [String: String] {
    let text = String(decoding: request.body.inMemory ?? Data(), as: UTF8.self)
    let pairs = HTTP.URL(unvalidated: "https://a.example/?" + text).queryParameters
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
    @Test("reads a slow response for no longer than 30 s")
    func drippingAnswer() async throws {
        try await onEverySeed(0..<50) { simulation in
            let stream = PausingStream(1, every: .seconds(1), times: 3600, simulation.runtime)
            let transport = ScriptedTransport<HTTP.Request>(replies: [
                .status(200, body: .oneShot(stream)).delayed(by: .seconds(12))
            ])
            let source = ClientCredentialsSource(
                at: try endpoint(transport, runtime: simulation.runtime)
            )

            let error = await #expect(throws: TimeoutError.self) { try await source.load() }

            try requireEqual(error?.code, .bodyTotal)
            try requireEqual(simulation.now.offset, .seconds(30))
            try require(!stream.cancels.entries.isEmpty)
        }
    }

    @Test(
        "explains a response without a usable token",
        arguments: [
            (200, "", "malformedResponse"), (200, "<html>", "malformedResponse"),
            (200, "[]", "malformedResponse"),
            (200, #"{"token_type":"bearer"}"#, "malformedResponse"),
            (200, #"{"access_token":""}"#, "malformedResponse"),
            (200, #"{"access_token":7}"#, "malformedResponse"),
            (200, #"{"access_token":"a\r\nX: y"}"#, "malformedResponse"),
            (200, #"{"access_token":"a","refresh_token":"b c"}"#, "malformedResponse"),
            (200, #"{"access_token":"a","token_type":"mac"}"#, "unsupportedTokenType"),
            (200, #"{"access_token":"a","token_type":"N_A"}"#, "unsupportedTokenType"),
            (200, String(repeating: " ", count: 70_000), "malformedResponse"),
            (503, "<html>", "refused"), (404, "{}", "refused"), (302, "", "refused"),
            (400, #"{"error":"invalid_grant"}"#, "invalid_grant"),
            (401, #"{"error":"invalid_client","error_description":"No."}"#, "invalid_client"),
            (400, #"{"error":"own_error"}"#, "own_error"),
            (200, #"{"error":"invalid_grant","error_description":"No."}"#, "invalid_grant"),
            (200, #"{"error":"bad_refresh_token"}"#, "bad_refresh_token"),
            (200, #"{"ok":false,"error":"invalid_refresh_token"}"#, "invalid_refresh_token"),
            (200, #"{"access_token":"","error":"own_error"}"#, "own_error"),
            (200, #"{"error":""}"#, "malformedResponse"),
            // As Facebook and Google name an error.
            (
                200, #"{"error":{"message":"No.","type":"OAuthException","code":190}}"#,
                "OAuthException"
            ),
            (403, #"{"error":{"code":403,"message":"No.","status":"DENIED"}}"#, "DENIED"),
            (200, #"{"error":{"code":190}}"#, "190"), (200, #"{"error":{}}"#, "malformedResponse"),
            (400, #"{"error":{"type":null}}"#, "refused"), (400, #"{"error":["a"]}"#, "refused"),
        ] as [(Int, String, String)]
    )
    func unusable(status: Int, text: String, code: String) async throws {
        let transport = ScriptedTransport<HTTP.Request> { _, _ in
            HTTP.Response(HTTP.Status(status), body: .text(text))
        }
        let source = ClientCredentialsSource(at: try endpoint(transport))

        let error = await #expect(throws: OAuthError.self) { try await source.load() }

        expectEqual(error?.code.description, code)
        expectEqual(error?.status.code, status)
        let endings = ["invalid_grant", "bad_refresh_token", "invalid_refresh_token"]
        expectEqual(error?.endsSession, endings.contains(code))
    }

    @Test("accepts a response of 64 KiB, and none that is a byte longer")
    func longAnswer() async throws {
        let answer = #"{"access_token":"a","refresh_token":"r"}"#
        let transport = ScriptedTransport<HTTP.Request>(
            replies: [64 * 1024, 64 * 1024 + 1].map { length in
                .json(answer + String(repeating: " ", count: length - answer.utf8.count))
            }
        )
        let source = ClientCredentialsSource(at: try endpoint(transport))

        let credential = try await source.load()
        let error = await #expect(throws: OAuthError.self) { try await source.load() }

        expectEqual(credential?.refreshToken, "r")
        expectEqual(error?.code, .malformedResponse)
    }

    @Test("truncates the server's error code to 80 characters")
    func longCode() async throws {
        let name = String(repeating: "e", count: 1000)
        let transport = ScriptedTransport<HTTP.Request> { _, _ in
            HTTP.Response(400, body: .text(#"{"error":"\#(name)"}"#))
        }
        let source = ClientCredentialsSource(at: try endpoint(transport))

        let error = await #expect(throws: OAuthError.self) { try await source.load() }

        expectEqual(error?.code.description.count, 80)
    }

    @Test("keeps an error code of an RFC of which a secret is a part")
    func shortSecret() async throws {
        let transport = ScriptedTransport<HTTP.Request> { _, _ in
            HTTP.Response(400, body: .text(#"{"error":"invalid_grant"}"#))
        }
        let endpoint = TokenEndpoint(
            "https://login.example/token",
            client: .post(id: "app", secret: "grant"),
            pipeline: try Pipeline(transport: transport) {}
        )

        let error = await #expect(throws: OAuthError.self) {
            try await ClientCredentialsSource(at: endpoint).load()
        }

        expectEqual(error?.code, .invalidGrant)
        expectEqual(error?.endsSession, true)
    }

    @Test("names errors as in RFC 6749 section 5.2 and RFC 8693 section 2.2.2")
    func codes() {
        let codes: [OAuthError.Code] = [
            .invalidRequest, .invalidClient, .invalidGrant, .unauthorizedClient,
            .unsupportedGrantType, .invalidScope, .invalidTarget,
        ]

        expectEqual(
            codes.map(\.description),
            [
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
        let source = RefreshTokenSource(at: endpoint)

        let error = await #expect(throws: OAuthError.self) {
            try await source.refresh(.bearer("a0", refreshToken: "r-0-secret"))
        }

        var dumped = "\(error as Any)"
        dump((endpoint, source, error as Any), to: &dumped)
        dump(OAuthClient.post(id: "app", secret: "s3cret"), to: &dumped)
        dump(TokenExchangeSource.Token("r-0-secret"), to: &dumped)
        let exchange = TokenExchangeSource(at: endpoint, audience: ["s3cret"]) {
            .init("r-0-secret")
        }
        dump(exchange, to: &dumped)
        dump(ClientCredentialsSource(at: endpoint, parameters: ["key": "s3cret"]), to: &dumped)
        expectTrue(!dumped.contains("s3cret"))
        expectTrue(!dumped.contains("r-0-secret"))
        expectTrue(dumped.contains("sign in"))
    }

    @Test("fails after its time limit")
    func timeout() async throws {
        try await onEverySeed(0..<20) { simulation in
            let transport = ScriptedTransport<HTTP.Request> { _, call in
                try await call.runtime.sleep(for: call.remaining ?? .seconds(1000))
                throw TransportError(.timedOut, "Too late.")
            }
            let source = ClientCredentialsSource(
                at: try endpoint(transport, runtime: simulation.runtime)
            )
            let error = try await #require(throws: TransportError.self) {
                try await source.load()
            }
            try requireEqual(error.code, .timedOut)
            try requireEqual(simulation.now.offset, .seconds(30))
        }
    }

    @Test("asks again by a retry in its chain, and waits as long as told")
    func retries() throws {
        let (token, sent, elapsed) = try Simulation.run { simulation in
            let transport = ScriptedTransport<HTTP.Request>(replies: [
                .status(500), .status(429, headers: ["Retry-After": "2"]),
                .json(#"{"access_token":"a1","refresh_token":"r1"}"#),
            ])
            let endpoint = TokenEndpoint(
                "https://login.example.com/token",
                client: .public(id: "app"),
                pipeline: try Pipeline(transport: transport, runtime: simulation.runtime) {
                    RetryInterceptor(policy: .steady)
                }
            )
            let credential = try await RefreshTokenSource(at: endpoint)
                .refresh(.bearer("a0", refreshToken: "r0"))
            return (credential?.refreshToken, transport.sent.count, simulation.now.offset)
        }

        expectEqual(token, "r1")
        expectEqual(sent, 3)
        expectTrue(elapsed >= .seconds(2), "\(elapsed)")
    }

    @Test("sends no refresh token again, nor hedges it, while its use is unknown")
    func lostOrSlow() throws {
        let sent = try Simulation.run { simulation in
            let lost = ScriptedTransport<HTTP.Request>(replies: [
                .fail(TransportError(.connectionLost, "The connection was reset.")),
                .fail(TransportError(.connectionLost, "The connection was reset.")),
            ])
            let slow = ScriptedTransport<HTTP.Request>(replies: [
                .json(#"{"access_token":"a1"}"#).delayed(by: .seconds(5))
            ])
            var hedges = HedgePolicy<HTTP.Request>()
            hedges.delay = .fixed(.seconds(1))
            for (transport, repeater) in [
                (lost, RetryInterceptor(policy: .steady) as any Interceptor<HTTP.Request>),
                (lost, HedgeInterceptor(policy: hedges)), (slow, HedgeInterceptor(policy: hedges)),
            ] {
                let endpoint = TokenEndpoint(
                    "https://login.example.com/token",
                    client: .public(id: "app"),
                    pipeline: try Pipeline(
                        [repeater],
                        transport: transport,
                        runtime: simulation.runtime
                    )
                )
                let source = RefreshTokenSource(at: endpoint)
                do {
                    _ = try await source.refresh(.bearer("a0", refreshToken: "r0"))
                } catch TransportError.Code.connectionLost {}
            }
            return [lost, slow].map(\.sent.count)
        }

        expectEqual(sent, [2, 1])
    }

    @Test("keeps the wait that it is told before the next refresh, up to an hour")
    func retryAfter() throws {
        let asked = try Simulation.run { simulation in
            let times = Recorder<Duration>()
            let login = ScriptedTransport<HTTP.Request> { _, _ in
                times.note(simulation.now.offset)
                return HTTP.Response(503, headers: ["Retry-After": "7200"])
            }
            let source = ClientCredentialsSource(
                at: try endpoint(login, runtime: simulation.runtime)
            )
            let api = ScriptedTransport<HTTP.Request> { _, _ in HTTP.Response(200) }
            let client = try simulation.client(api) {
                TokenInterceptor(source: source, origins: ["https://api.example.com"])
            }
            for _ in 0..<61 {
                _ = try? await client.send(.get(orders))
                try await simulation.runtime.sleep(for: .seconds(60))
            }
            return times.entries
        }

        expectEqual(asked, [.zero, .seconds(3600)])
    }
}
