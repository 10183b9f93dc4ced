import Expectations
import Foundation
import InterceptorKit
import InterceptorKitAuthentication
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("RefreshTokenSource")
struct RefreshTokensTests {
    @Test("takes a rotated refresh token, and keeps the old one without one")
    func rotation() async throws {
        let transport = ScriptedTransport<HTTP.Request>(replies: [
            .json(#"{"access_token":"a1","refresh_token":"r1"}"#),
            .json(#"{"access_token":"a2"}"#),
            .json(#"{"access_token":"a3","refresh_token":""}"#),
        ])
        let source = RefreshTokenSource(at: try endpoint(transport), scopes: ["orders"])

        let first = try await source.refresh(.bearer("a0", refreshToken: "r0"))
        let second = try await source.refresh(first)

        expectEqual(first?.refreshToken, "r1")
        let third = try await source.refresh(second)
        expectEqual(second?.refreshToken, "r1")
        expectEqual(third?.refreshToken, "r1")
        expectEqual(transport.sent.map { asked($0.input)["refresh_token"] }, ["r0", "r1", "r1"])
        expectEqual(asked(transport.sent[0].input)["grant_type"], "refresh_token")
        expectEqual(asked(transport.sent[0].input)["scope"], "orders")
    }

    @Test("sends nothing without a refresh token")
    func none() async throws {
        let transport = ScriptedTransport<HTTP.Request>(replies: [])
        let source = RefreshTokenSource(at: try endpoint(transport))

        try await expectTrue(source.load() == nil)
        try await expectTrue(source.refresh(nil) == nil)
        try await expectTrue(source.refresh(.bearer("a0")) == nil)
    }

    @Test("doesn't send a refresh token again that was refused as invalid")
    func invalidGrant() async throws {
        let transport = ScriptedTransport<HTTP.Request>(replies: [
            .json(#"{"error":"invalid_grant"}"#, status: 400),
            .json(#"{"access_token":"a1"}"#),
        ])
        let source = RefreshTokenSource(at: try endpoint(transport))
        let old = Credential.bearer("a0", refreshToken: "r0")

        for _ in 0..<3 {
            let error = await #expect(throws: OAuthError.self) { try await source.refresh(old) }
            expectEqual(error?.code, .invalidGrant)
        }
        let signedIn = try await source.refresh(.bearer("b0", refreshToken: "r7"))

        expectEqual(signedIn?.refreshToken, "r7")
        expectEqual(transport.sent.count, 2)
    }

    @Test("refreshes through the chain that the tokens are for")
    func inChain() async throws {
        try await onEverySeed(0..<200) { simulation in
            let issued = Recorder<String>()
            let transport = ScriptedTransport<HTTP.Request> { request, call in
                try await call.runtime.sleep(for: .milliseconds(5))
                if request.url.path == "/token" {
                    let number = issued.entries.count + 1
                    issued.note(asked(request)["refresh_token"] ?? "-")
                    let text = #"{"access_token":"a\#(number)","refresh_token":"r\#(number)"}"#
                    return HTTP.Response(200, body: .text(text))
                }
                let token = "Bearer a\(issued.entries.count)"
                let isRight = request.headers["Authorization"] == token && !issued.entries.isEmpty
                return HTTP.Response(isRight ? 200 : 401)
            }
            let pipeline = try Pipeline(transport: transport, runtime: simulation.runtime) {}
            let source = RefreshTokenSource(
                at: TokenEndpoint(
                    "https://login.example.com/token",
                    client: .public(id: "app"),
                    pipeline: pipeline
                ),
                initial: { .bearer("a0", refreshToken: "r0") }
            )
            let client = try simulation.client(transport) {
                TokenInterceptor(source: source, origins: ["https://api.example.com"])
            }
            let statuses = await withTaskGroup(of: HTTP.Status?.self) { group in
                for _ in 0..<20 {
                    group.addTask { try? await client.send(.get(orders)).status }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            try requireEqual(statuses, Array(repeating: 200, count: 20))
            try requireEqual(issued.entries, ["r0"])
        }
    }
}
