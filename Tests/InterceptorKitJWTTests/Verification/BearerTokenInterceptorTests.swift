#if JWT
import Expectations
import Foundation
import InterceptorKit
import InterceptorKitTesting
import Testing

@testable import InterceptorKitJWT

@Suite("BearerTokenInterceptor")
struct BearerTokenInterceptorTests {
    /// A verifier that throws one error.
    private struct Throwing: AccessTokenVerifier {
        let error: any Error

        func verify(_ token: String, on call: Call) async throws -> AccessToken { throw error }
    }

    private let world = BearerWorld()

    @Test("passes a request with a valid token, and says who calls")
    func valid() async throws {
        let seen = ScriptedTransport<HTTP.Request>(replies: [.status(200)])
        let verifier = try await world.verifier()
        let service = try Pipeline(transport: seen, runtime: world.runtime) {
            BearerTokenInterceptor(verifier)
        }

        let response = try await service.run(world.bearer())

        expectEqual(response.status, 200)
        let call = try unwrap(seen.sent.first).call
        expectEqual(
            call.principal,
            Principal(
                "user-7",
                issuer: BearerWorld.issuer,
                clientID: "app",
                scopes: ["orders:read", "orders:write"],
                expiry: Date(timeIntervalSince1970: Double(BearerWorld.now + 300))
            )
        )
        struct Own: Decodable { var jti: String }
        try expectEqual(unwrap(call.accessToken).claims(as: Own.self).jti, "t1")
    }

    @Test("answers every invalid token alike, and passes none on")
    func alike() async throws {
        let answers = BearerCases.all.filter {
            guard case .refused(401, "invalid_token"?, _) = $0.answer else { return false }
            return $0.service == .bearer
        }
        var seen: Set<String> = []
        for row in answers {
            let service = try world.service(BearerTokenInterceptor(try await world.verifier()))
            let response = try await service.run(row.request(world))
            seen.insert("\(response.status) \(response.headers.map { "\($0.name): \($0.value)" })")
            expectEqual(response.headers["Subject"], nil)
        }

        expectTrue(answers.count > 40)
        expectEqual(
            seen,
            [#"401 Unauthorized ["WWW-Authenticate: Bearer error=\"invalid_token\""]"#]
        )
    }

    @Test("says in a challenge what a caller needs")
    func challenges() async throws {
        let service = try world.service(
            BearerTokenInterceptor(
                try await world.verifier(),
                requiring: AccessRequirement(
                    scopes: ["b", "a"],
                    authenticationContexts: ["mfa", "hwk"],
                    maximumAge: .seconds(300)
                ),
                realm: #"the "orders""#
            )
        )
        func challenge(_ request: HTTP.Request) async throws -> String? {
            try await service.run(request).headers["WWW-Authenticate"]
        }
        let common = #"Bearer realm="the \"orders\"", scope="a b""#

        try await expectEqual(challenge(.get("https://api.example.com/")), common)
        try await expectEqual(
            challenge(world.bearer()),
            common + #", error="insufficient_scope""#
        )
        try await expectEqual(
            challenge(world.bearer(claims: ["scope": #""a b""#])),
            common
                + #", error="insufficient_user_authentication", acr_values="mfa hwk", max_age="300""#
        )
    }

    @Test("requires more of some requests below")
    func requirement() async throws {
        let bearer = BearerTokenInterceptor(
            try await world.verifier(),
            requiring: AccessRequirement(scopes: ["orders:read"]),
            realm: "orders"
        )
        let more = AccessRequirementInterceptor(AccessRequirement(scopes: ["orders:delete"]))
        let less = AccessRequirementInterceptor(AccessRequirement(scopes: ["orders:read"]))

        let served = try await world.service(bearer, less).run(world.bearer())
        let refused = try await world.service(bearer, more).run(world.bearer())
        let unverified = try await world.service(less).run(world.bearer())

        expectEqual([served, refused, unverified].map(\.status.code), [200, 403, 401])
        expectEqual(
            refused.headers["WWW-Authenticate"],
            #"Bearer realm="orders", scope="orders:delete orders:read", error="insufficient_scope""#
        )
        expectEqual(world.reasons, ["insufficientScope", "missing"])
    }

    @Test("says in the log how to accept the type JWT, and never the token")
    func message() async throws {
        let service = try world.service(BearerTokenInterceptor(try await world.verifier()))
        let request = world.bearer(header: ["typ": #""JWT""#])

        _ = try await service.run(request)

        let event = try unwrap(world.sink.events.first { $0.name == .tokenRefused })
        let message = try unwrap(event.attributes["error.message"]?.description)
        expectTrue(message.contains("\"JWT\", and accepted are: at+jwt"), "\(message)")
        let signature = try unwrap(request.headers["Authorization"]?.split(separator: ".").last)
        expectTrue(!world.sink.timeline.contains(signature))
    }

    @Test("throws the error of a verifier that cannot tell, and refuses nothing")
    func unknown() async throws {
        let away = StoreError(.unreachable, "The issuer is away.")
        let service = try world.service(BearerTokenInterceptor(Throwing(error: away)))

        let error = await #expect(throws: StoreError.self) { try await service.run(world.bearer()) }

        try expectEqual(HTTP.Response(answering: unwrap(error))?.status, 503)
        expectTrue(world.reasons.isEmpty)
    }

    @Test("passes on what handlers throw, also about another token")
    func handlers() async throws {
        let verifier = try await world.verifier()
        let service = try Pipeline(
            transport: ScriptedTransport<HTTP.Request> { _, _ in
                throw AccessTokenError(.expired, "The token for another service has expired.")
            },
            runtime: world.runtime
        ) { BearerTokenInterceptor(verifier) }

        await #expect(throws: AccessTokenError.self) { try await service.run(world.bearer()) }
    }

    @Test("refuses settings that would accept tokens that nobody vouches for")
    func invalid() async throws {
        let keys = try await JSONWebKeySet(json: world.keySet)
        func verifier(
            issuer: String = "https://login.example.com",
            audience: Set<String>? = ["a"],
            algorithms: Set<String>? = nil,
            types: Set<String> = ["at+jwt"],
            leeway: Duration = .zero
        ) -> JSONWebTokenVerifier {
            JSONWebTokenVerifier(
                issuer: issuer,
                audience: audience,
                keys: keys,
                algorithms: algorithms,
                types: types,
                leeway: leeway
            )
        }
        let good = verifier()
        let interceptors =
            [
                verifier(issuer: ""), verifier(audience: []), verifier(audience: ["a", ""]),
                verifier(algorithms: []), verifier(algorithms: ["ES256", "none"]),
                verifier(algorithms: ["HS256"]), verifier(types: []),
                verifier(leeway: .seconds(-1)), verifier(leeway: .seconds(601)),
            ].map { BearerTokenInterceptor($0) } + [
                BearerTokenInterceptor(good, realm: "caf\u{E9}"),
                BearerTokenInterceptor(good, requiring: AccessRequirement(scopes: ["a b"])),
                BearerTokenInterceptor(
                    good,
                    requiring: AccessRequirement(authenticationContexts: ["\""])
                ),
                BearerTokenInterceptor(
                    good,
                    requiring: AccessRequirement(maximumAge: .seconds(-1))
                ),
            ]
        _ = try world.service(BearerTokenInterceptor(good), AccessRequirementInterceptor(.init()))
        for interceptor in interceptors {
            #expect(throws: PipelineError.self) { try world.service(interceptor) }
        }
    }
}
#endif
