// The README's first snippet.
import InterceptorKit
import InterceptorKitTransport

struct Order: Decodable, Sendable { var id: Int }

func lookUp(_ tokens: some CredentialSource, _ secret: String) async throws {
    // snippet.chain
    let api = try HTTP.Client(transport: URLSessionTransport(), envelope: HTTP.ResponseEnvelope()) {
        BaseURLInterceptor("https://api.example.com/v1")
        ErrorFilterInterceptor()
        RetryInterceptor(policy: .standard)
        TokenInterceptor(source: tokens, origins: ["https://api.example.com"])
        SignInterceptor(.hmacSHA256(keyID: "app-1", secret: secret))
    }
    let order = try await api.send(.get("/orders/7")).decode(Order.self)
    print(order.id)  // 7
    // snippet.end
}
