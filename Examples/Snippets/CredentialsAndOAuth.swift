// What the guide CredentialsAndOAuth shows.
import InterceptorKit
import InterceptorKitAuthentication

func partnerClient(_ transport: some Transport<HTTP.Request>, key: String) throws -> HTTP.Client {
    // snippet.key
    let partner = FixedCredentialSource(.header("X-Api-Key", key))
    let api = try HTTP.Client(transport: transport) {
        TokenInterceptor(source: partner, origins: ["https://partner.example.com"])
    }
    // snippet.end
    return api
}

func applicationClient(
    _ transport: some Transport<HTTP.Request>,
    secret: String
) throws -> HTTP.Client {
    // snippet.application
    let endpoint = TokenEndpoint(
        "https://login.example.com/token",
        client: .basic(id: "orders", secret: secret),
        pipeline: try Pipeline(transport: transport) { RetryInterceptor(policy: .standard) }
    )
    let tokens = ClientCredentialsSource(at: endpoint, scopes: ["orders.read"])
    let api = try HTTP.Client(transport: transport) {
        RetryInterceptor(policy: .standard)
        TokenInterceptor(source: tokens, origins: ["https://api.example.com"])
    }
    // snippet.end
    return api
}

func steppingUp(_ endpoint: TokenEndpoint) -> ClientCredentialsSource {
    // snippet.step-up
    let tokens = ClientCredentialsSource(
        at: endpoint,
        scopes: ["orders.read"],
        stepUpScopes: ["orders.write"]
    )
    // snippet.end
    return tokens
}

func signingClient(_ key: SigningKey) -> OAuthClient {
    // snippet.assertion
    let client = OAuthClient.privateKeyJWT(id: "orders", key: key)
    // snippet.end
    return client
}

func signedIn(
    at endpoint: TokenEndpoint,
    accessToken: String,
    refreshToken: String
) async throws -> TokenInterceptor {
    // snippet.session
    let session = TokenInterceptor(
        source: RefreshTokenSource(at: endpoint),
        origins: ["https://api.example.com"]
    )
    try await session.signIn(with: .bearer(accessToken, refreshToken: refreshToken))
    // snippet.end
    return session
}

func onBehalf(at endpoint: TokenEndpoint, callersToken: String) -> TokenExchangeSource {
    // snippet.exchange
    let tokens = TokenExchangeSource(at: endpoint, audience: ["billing"]) {
        TokenExchangeSource.Token(callersToken)
    }
    // snippet.end
    return tokens
}

func provenClient(
    _ transport: some Transport<HTTP.Request>,
    key: DPoPKey
) throws -> HTTP.Client {
    // snippet.dpop
    let proofs = DPoPInterceptor(
        key: key,
        origins: ["https://login.example.com", "https://api.example.com"]
    )
    let endpoint = TokenEndpoint(
        "https://login.example.com/token",
        client: .public(id: "app"),
        pipeline: try Pipeline(transport: transport) { proofs }
    )
    let api = try HTTP.Client(transport: transport) {
        RetryInterceptor(policy: .standard)
        TokenInterceptor(
            source: RefreshTokenSource(at: endpoint),
            origins: ["https://api.example.com"]
        )
        proofs
    }
    // snippet.end
    return api
}

func cameraClient(
    _ transport: some Transport<HTTP.Request>,
    password: String
) throws -> HTTP.Client {
    // snippet.digest
    let camera = try HTTP.Client(transport: transport) {
        DigestInterceptor(
            user: "viewer",
            password: password,
            origins: ["http://camera.example.com"]
        )
    }
    // snippet.end
    return camera
}

struct MissingScopes: Error {
    var names: [String]
}

func checkScopes(_ response: HTTP.Response) throws {
    // snippet.challenge
    let refusal = response.headers.challenges().first { $0.bearerError != nil }
    if let refusal, refusal.bearerError == .insufficientScope {
        throw MissingScopes(names: refusal.scopes)
    }
    // snippet.end
}

func proofs(_ key: DPoPKey) -> DPoPInterceptor {
    // snippet.proofs
    let proofs = DPoPInterceptor(key: key, origins: ["https://api.example.com"])
    // snippet.end
    return proofs
}

func applicationTokens(
    _ transport: some Transport<HTTP.Request>,
    secret: String
) throws -> ClientCredentialsSource {
    // snippet.endpoint
    let endpoint = TokenEndpoint(
        "https://login.example.com/token",
        client: .basic(id: "app", secret: secret),
        pipeline: try Pipeline(transport: transport) { RetryInterceptor(policy: .standard) }
    )
    let tokens = ClientCredentialsSource(at: endpoint, scopes: ["orders"])
    // snippet.end
    return tokens
}
