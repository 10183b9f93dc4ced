// What the guide KnowWhoCalls shows, which needs the trait JWT.
import Foundation
import InterceptorKit
import InterceptorKitJWT
import InterceptorKitSharedState
import InterceptorKitSigning
import InterceptorKitTesting

#if JWT
struct Roles: Decodable {
    var roles: [String]
}

// snippet.handler
struct Orders: Transport {
    func send(_ request: HTTP.Request, call: Call) async throws -> HTTP.Response {
        let caller = call.principal?.subject ?? "nobody"
        return HTTP.Response(200, body: .text("the orders of \(caller)"))
    }
}
// snippet.end

func service(
    over client: HTTP.Client,
    limits: some RateLimitStore,
    records: some IdempotencyStore,
    events: some EventSink
) throws -> Pipeline<HTTP.Request> {
    // snippet.service
    let verifier = JSONWebTokenVerifier(
        issuer: "https://login.example.com",
        audience: ["https://orders.example.com"],
        keys: try JSONWebKeySet(issuer: "https://login.example.com", over: client)
    )
    let pipeline = try Pipeline(transport: Orders(), events: events) {
        ConcurrencyLimitInterceptor(policy: ConcurrencyLimitPolicy(limit: 200))
        BearerTokenInterceptor(verifier, requiring: AccessRequirement(scopes: ["orders:read"]))
        SharedRateLimitInterceptor(limits, quota: RateLimitQuota(100))
        IdempotencyInterceptor(records)
    }
    // snippet.end
    return pipeline
}

func introspection(
    over transport: some Transport<HTTP.Request>,
    _ secret: String
) throws -> TokenIntrospection {
    // snippet.introspection
    let client = try HTTP.Client(transport: transport) {
        TokenInterceptor(
            source: FixedCredentialSource(.basic(user: "orders", password: secret)),
            origins: ["https://login.example.com"]
        )
        RateLimitInterceptor(policy: RateLimitPolicy(calls: 100))
    }
    let verifier = TokenIntrospection(
        at: "https://login.example.com/introspect",
        client: client,
        audience: ["https://orders.example.com"]
    )
    // snippet.end
    return verifier
}

func roles(_ call: Call) throws -> [String] {
    // snippet.claims
    let roles = try call.accessToken?.claims(as: Roles.self).roles
    // snippet.end
    return roles ?? []
}

func refunds() -> some Interceptor<HTTP.Request> {
    // snippet.stepUp
    let requirement = AccessRequirement(
        scopes: ["orders:refund"],
        authenticationContexts: ["urn:example:second-factor"],
        maximumAge: .seconds(300)
    )
    return AccessRequirementInterceptor(requirement)
    // snippet.end
}

func refusals() -> EventObserver {
    // snippet.log
    let log = EventObserver { event in
        guard event.name == .tokenRefused else { return }
        print(event.attributes["reason"] ?? "", event.attributes["error.message"] ?? "")
    }
    // snippet.end
    return log
}

func changes() -> some Interceptor<HTTP.Request> {
    // snippet.some
    CompositeInterceptor("changes", when: { request, _ in request.method != .get }) {
        AccessRequirementInterceptor(AccessRequirement(scopes: ["orders:write"]))
    }
    // snippet.end
}

func knows(_ token: String, by keySet: Data) async throws -> Bool {
    // snippet.test
    let verifier = JSONWebTokenVerifier(
        issuer: "https://login.example.com",
        audience: ["https://orders.example.com"],
        keys: try await JSONWebKeySet(json: keySet)
    )
    let transport = ScriptedTransport<HTTP.Request>(replies: [.status(200)])
    let pipeline = try Pipeline(transport: transport) { BearerTokenInterceptor(verifier) }

    let response = try await pipeline.run(
        .get("https://orders.example.com/", headers: ["Authorization": "Bearer \(token)"])
    )

    return response.status == 200
        && transport.sent.map { $0.call.principal?.subject } == ["ann"]
    // snippet.end
}

func bound(
    _ verifier: JSONWebTokenVerifier,
    _ nonces: some NonceStore,
    _ key: [UInt8]
) -> some Interceptor<HTTP.Request> {
    // snippet.bound
    let bearer = BearerTokenInterceptor(
        verifier,
        dpop: DPoPVerification(replays: nonces, nonces: DPoPNonces(key: key)),
        certificate: .field
    )
    // snippet.end
    return bearer
}

func older(_ keys: JSONWebKeySet) -> JSONWebTokenVerifier {
    // snippet.older
    let verifier = JSONWebTokenVerifier(
        issuer: "https://example.eu.auth0.com/",
        audience: ["https://orders.example.com"],
        keys: keys,
        algorithms: ["RS256"],
        types: ["jwt"],
        requiring: ["azp", "iat"]
    )
    // snippet.end
    return verifier
}
#endif
