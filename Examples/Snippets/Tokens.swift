// What the guide Tokens shows.
import InterceptorKit
import InterceptorKitTransport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// snippet.source
struct SessionTokens: CredentialSource {
    struct Answer: Decodable, Sendable {
        var accessToken: String
        var refreshToken: String
    }

    let pipeline: Pipeline<HTTP.Request>

    func load() async throws -> Credential? { nil }

    func refresh(_ rejected: Credential?) async throws -> Credential? {
        guard let refreshToken = rejected?.refreshToken else { return nil }
        let request = try HTTP.Request.post("https://login.example.com/token")
            .json(["refresh_token": refreshToken])
        let response = try await pipeline.run(request)
        guard response.status != 400 else {
            throw TokenError(.signInRequired, "The session is over. Sign in again.")
        }
        let answer = try await response.decode(Answer.self)
        return .bearer(answer.accessToken, refreshToken: answer.refreshToken)
    }
}
// snippet.end

// snippet.step-up
struct SteppingUp: CredentialSource {
    let scopes: Set = ["orders.read"]
    let signIn: @Sendable (_ scopes: Set<String>, _ acrValues: [String]) async throws -> Credential?

    func load() async throws -> Credential? { nil }

    func refresh(_ rejected: Credential?) async throws -> Credential? {
        try await signIn(scopes, [])
    }

    func need(in response: HTTP.Response, of call: Call) -> CredentialNeed? {
        CredentialNeed(in: response)
    }

    func refresh(_ rejected: Credential?, _ context: RefreshContext) async throws -> Credential? {
        guard let need = context.need else { return try await refresh(rejected) }
        return try await signIn(scopes.union(need.scopes), need.acrValues)
    }
}
// snippet.end

protocol TokenService: Sendable {
    func token(for scopes: Set<String>) async throws -> Credential?
}

func closures(_ service: some TokenService) -> RefreshableCredentialSource {
    // snippet.closures
    let tokens = RefreshableCredentialSource(need: { CredentialNeed(in: $0) }) { _, context in
        try await service.token(for: context.need?.scopes ?? [])
    }
    // snippet.end
    return tokens
}

func session(_ tokens: SessionTokens) async throws -> HTTP.Client {
    // snippet.session
    let session = TokenInterceptor(source: tokens, origins: ["https://api.example.com"])
    let api = try HTTP.Client(transport: URLSessionTransport()) {
        RetryInterceptor(policy: .standard)
        session
    }
    try await session.signIn(with: .bearer("access", refreshToken: "refresh"))
    try await session.signOut()
    // snippet.end
    return api
}

func current(_ session: TokenInterceptor) async throws -> [(name: String, value: String)] {
    // snippet.current
    let credential = try await session.credential(for: "https://api.example.com/live")
    // snippet.end
    return credential?.fields ?? []
}

func orders(
    _ api: HTTP.Client,
    _ session: TokenInterceptor,
    askSomeone: () async throws -> Credential
) async throws -> HTTP.Response {
    // snippet.end-of-session
    do {
        return try await api.send(.get("/orders"))
    } catch let error as any SessionEndingError where error.endsSession {
        try await session.signIn(with: try await askSomeone())
        return try await api.send(.get("/orders"))
    }
    // snippet.end
}

func several(_ user: SessionTokens, _ key: String) throws -> HTTP.Client {
    // snippet.several
    let api = try HTTP.Client(transport: URLSessionTransport()) {
        TokenInterceptor("user", source: user, origins: ["https://api.example.com"])
        TokenInterceptor(
            "service",
            source: FixedCredentialSource(.header("X-Api-Key", key)),
            origins: ["https://api.example.com", "https://stock.example.com"]
        )
    }
    // snippet.end
    return api
}
