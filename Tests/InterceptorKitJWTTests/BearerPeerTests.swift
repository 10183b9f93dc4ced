#if JWT
import ConformanceVectors
import Expectations
import Foundation
import InterceptorKit
import InterceptorKitAuthentication
import InterceptorKitCurl
import InterceptorKitJWT
import TestRun
import Testing

private let address = ProcessInfo.processInfo.environment["INTERCEPTORKIT_ISSUER"]

@Suite(
    "Access tokens of a real authorization server",
    .tags(.sockets),
    .serializedAcrossSuites,
    .timeLimit(.minutes(10)),
    .enabled(
        if: address != nil,
        "no server: run Tests/Comparisons/bearer, which needs authlib and flask of PyPI"
    )
)
struct BearerPeerTests {
    private struct Echo: Transport {
        func send(_ request: HTTP.Request, call: Call) async throws -> HTTP.Response {
            let caller = call.principal
            let scopes = caller?.scopes.sorted().joined(separator: " ") ?? ""
            return HTTP.Response(200, body: .text("\(caller?.subject ?? "nobody"): \(scopes)"))
        }
    }

    /// An authorization server of Authlib, and what asks it.
    private struct Issuer {
        let url: String
        let client: HTTP.Client

        init(_ url: String) throws {
            self.url = url
            client = try HTTP.Client(transport: try CurlTransport()) {
                BaseURLInterceptor(string: url)
            }
        }

        func token(_ scopes: [String] = ["read"]) async throws -> String {
            let endpoint = TokenEndpoint(
                HTTP.URL(unvalidated: url + "/token"),
                client: .basic(id: "app", secret: "the secret"),
                pipeline: try Pipeline(transport: try CurlTransport()) {}
            )
            let credential = try await ClientCredentialsSource(at: endpoint, scopes: scopes).load()
            return try unwrap(credential?.token)
        }

        func post(_ path: String) async throws {
            try await client.send(.post("\(raw: path)")).discard()
        }

        func fetches() async throws -> Int? { Int(try await client.send(.get("/fetches")).text()) }
    }

    private static func outcome(
        _ verifier: some AccessTokenVerifier,
        _ token: String,
        requiring requirement: AccessRequirement = AccessRequirement()
    ) async throws -> String {
        let pipeline = try Pipeline(transport: Echo()) {
            BearerTokenInterceptor(verifier, requiring: requirement)
        }
        let request = HTTP.Request.get(
            "https://api.example/",
            headers: ["Authorization": "Bearer \(token)"]
        )
        let response = try await pipeline.run(request)
        let text = try await response.text()
        return "\(response.status.code) \(text)\(response.headers["WWW-Authenticate"] ?? "")"
    }

    @Test("are accepted while its keys rotate, and refused for others")
    func peers() async throws {
        let issuer = try Issuer(try unwrap(address))
        var result = Conformance("bearer-authlib")
        let keys = try JSONWebKeySet(issuer: issuer.url, over: issuer.client)
        let verifier = JSONWebTokenVerifier(
            issuer: issuer.url,
            audience: ["https://api.example"],
            keys: keys
        )
        let byMetadata = JSONWebTokenVerifier(
            issuer: issuer.url,
            audience: ["https://api.example"],
            keys: try JSONWebKeySet(
                issuer: issuer.url,
                over: issuer.client,
                location: .authorizationServerMetadata
            )
        )
        let elsewhere = JSONWebTokenVerifier(
            issuer: issuer.url,
            audience: ["https://other.example"],
            keys: keys
        )
        let older = try await issuer.token(["read", "write"])
        func expect(_ name: String, _ outcome: String, _ expected: String) {
            result.note(outcome == expected, "\(name): \(outcome) instead of \(expected)")
        }

        expect("a token", try await Self.outcome(verifier, older), "200 app: read write")
        expect("metadata", try await Self.outcome(byMetadata, older), "200 app: read write")
        let invalid = #"401 Bearer error="invalid_token""#
        expect("elsewhere", try await Self.outcome(elsewhere, older), invalid)
        let admin = AccessRequirement(scopes: ["admin"])
        let refused = try await Self.outcome(verifier, older, requiring: admin)
        expect("a scope", refused, #"403 Bearer scope="admin", error="insufficient_scope""#)
        let before = try await issuer.fetches()
        try await issuer.post("/rotate")
        let newer = try await issuer.token()
        let outcomes = try await withThrowingTaskGroup(of: String.self) { group in
            for number in 0..<50 {
                let token = number.isMultiple(of: 2) ? newer : older
                group.addTask { try await Self.outcome(verifier, token) }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        expect(
            "rotation",
            outcomes.sorted().joined(separator: ", "),
            "200 app: read, 200 app: read write"
        )
        expect("fetches", "\(try await issuer.fetches() ?? 0)", "\((before ?? 0) + 1)")

        expectEqual(result.failures, [])
        print(result.summary)
    }
}
#endif
