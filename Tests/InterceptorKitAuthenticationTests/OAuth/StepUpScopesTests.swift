import Expectations
import Foundation
import InterceptorKit
import InterceptorKitAuthentication
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("Step-up of OAuth's sources")
struct StepUpScopesTests {
    private static let further = ["write", "admin"]

    /// A service whose API needs the scope of its path, and whose tokens are the scopes that were asked for.
    private let transport = ScriptedTransport<HTTP.Request> { request, _ in
        if request.url.host == "login.example.com" {
            let scope = asked(request)["scope"] ?? ""
            let token = scope.isEmpty ? "none" : scope.replacingOccurrences(of: " ", with: "+")
            return HTTP.Response(
                200,
                body: .text(#"{"access_token":"\#(token)","refresh_token":"r1"}"#)
            )
        }
        let token = request.headers["Authorization"]?.dropFirst("Bearer ".count) ?? ""
        let needed = String(request.url.path.dropFirst())
        guard !token.split(separator: "+").map(String.init).contains(needed) else {
            return HTTP.Response(200)
        }
        let challenge = #"Bearer error="insufficient_scope", scope="\#(needed)""#
        return HTTP.Response(403, headers: ["WWW-Authenticate": challenge])
    }

    private func sources(
        _ scopes: [String],
        _ further: [String] = Self.further
    ) throws -> [any CredentialSource] {
        let endpoint = try endpoint(transport)
        let refreshing = RefreshTokenSource(at: endpoint, scopes: scopes, stepUpScopes: further) {
            .bearer("read", refreshToken: "r0")
        }
        return [
            ClientCredentialsSource(at: endpoint, scopes: scopes, stepUpScopes: further),
            TokenExchangeSource(at: endpoint, scopes: scopes, stepUpScopes: further) { .init("t") },
            refreshing,
            StoredCredentialSource(in: MemoryCredentialStore(), refreshedBy: refreshing),
        ]
    }

    private func statuses(
        of paths: [String],
        with source: any CredentialSource
    ) async throws -> [HTTP.Status] {
        let tokens = tokens(with: source)
        let client = try HTTP.Client(transport: transport, runtime: .virtual(clock: VirtualClock()))
        { tokens }
        var statuses: [HTTP.Status] = []
        for path in paths {
            let url = try HTTP.URL(string: "https://api.example.com/\(path)")
            statuses.append(try await client.send(.get(url)).status)
        }
        return statuses
    }

    private func tokens(with source: some CredentialSource) -> TokenInterceptor {
        TokenInterceptor(source: source, origins: ["https://api.example.com"])
    }

    @Test("asks for the scope that a request needs, with those it has")
    func widens() async throws {
        for source in try sources(["read"]) {
            let statuses = try await statuses(
                of: ["read", "write", "read", "admin", "write"],
                with: source
            )

            expectEqual(statuses, [200, 200, 200, 200, 200], "\(type(of: source))")
            let scopes = transport.sent.filter { $0.input.url.host == "login.example.com" }.suffix(
                2
            )
            .map { asked($0.input)["scope"] }
            expectEqual(scopes, ["read write", "read admin write"], "\(type(of: source))")
        }
    }

    @Test("asks for no scope that is not listed, and for none without its own")
    func bounds() async throws {
        for (scopes, further) in [(["read"], []), (["read"], ["admin"]), ([], ["write"])] {
            for source in try sources(scopes, further) {
                let before = transport.sent.count { $0.input.url.host == "api.example.com" }
                let statuses = try await statuses(of: ["write"], with: source)
                let sends = transport.sent.count { $0.input.url.host == "api.example.com" } - before

                expectEqual(statuses, [403], "\(type(of: source)) \(further)")
                expectEqual(sends, 1, "\(type(of: source)) \(further)")
            }
        }
    }
}
