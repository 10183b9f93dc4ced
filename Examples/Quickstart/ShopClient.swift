import InterceptorKit
import Synchronization

/// The chain: what happens to every request, outermost first.
@InterceptorBuilder<HTTP.Request>
func shopInterceptors(
    shop: HTTP.Origin,
    tokens: some CredentialSource,
    secret: String
) -> [any Interceptor<HTTP.Request>] {
    BaseURLInterceptor("\(shop)/v1")
    ErrorFilterInterceptor()
    RetryInterceptor(policy: .standard)
    TokenInterceptor(source: tokens, origins: [shop])
    SignInterceptor(.hmacSHA256(keyID: "app-1", secret: secret))
}

/// Gets access tokens from the shop, through the very client it gets them for.
struct ShopTokens: CredentialSource {
    private struct Token: Decodable { var token: String }

    let client: ClientReference

    func load() async throws -> Credential? { .bearer("expired") }

    func refresh(_ rejected: Credential?) async throws -> Credential? {
        guard let client = client.value else { return nil }
        let answer = try await client.send(.post("/token")).decode(Token.self)
        return .bearer(answer.token)
    }
}

/// A place for the client that is made after the source it uses.
final class ClientReference: Sendable {
    private let client = Mutex<HTTP.Client?>(nil)

    var value: HTTP.Client? {
        get { client.withLock(\.self) }
        set { client.withLock { $0 = newValue } }
    }
}
