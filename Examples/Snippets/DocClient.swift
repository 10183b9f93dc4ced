// What the documentation comments of clients, messages and their contents show.
import InterceptorKit
import InterceptorKitTransport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

struct Order: Codable, Sendable {
    var id: Int
    var name: String
}

struct NewOrder: Encodable, Sendable {
    var name: String
}

@MainActor
final class Label {
    var text: String?
}

func client() async throws -> Order {
    // snippet.client
    let api = try HTTP.Client(transport: URLSessionTransport()) {
        BaseURLInterceptor("https://api.example.com/v1")
        ErrorFilterInterceptor()
        RetryInterceptor(policy: .standard)
    }
    let order = try await api.send(.get("/orders/7")).decode(Order.self)
    // snippet.end
    return order
}

// snippet.endpoints
extension HTTP.Endpoint {
    static func order(_ id: Int) -> Self where Output == Order {
        Self(.get, "/orders/\(id)", decoder: .json)
    }
    static func place(_ order: NewOrder) -> Self where Output == Order {
        Self(.post, "/orders", sending: order, by: .json, decoder: .json)
    }
}
// snippet.end

func endpoint(_ api: HTTP.Client) async throws -> Order {
    // snippet.endpoint
    let order = try await api.call(.order(7))
    // snippet.end
    return order
}

func start(_ api: HTTP.Client, _ label: Label) {
    // snippet.start
    api.start(.order(7)) { @MainActor result in
        label.text = (try? result.get())?.name
    }
    // snippet.end
}

func settings(device: String, token: String, secret: String) throws -> HTTP.Client {
    // snippet.settings
    var settings = HTTP.Client.Settings(baseURL: "https://api.example.com/v1")
    settings.appID = "shop"
    settings.appVersion = "2.1"
    settings.deviceID = device
    settings.token = token
    settings.secret = secret
    let api = try HTTP.Client(settings, transport: URLSessionTransport())
    // snippet.end
    return api
}

func digest() {
    // snippet.digest
    let digest = HashAlgorithm.sha256.hash("abc".utf8)
    print(digest.hexadecimal)  // ba7816bf…
    // snippet.end
}

enum ShopError: Error {
    case outOfStock
    case signInAgain
    case offline
}

func named(_ error: any Error) -> any Error {
    // snippet.failures
    switch error {
    case FailurePattern.code(1001): ShopError.outOfStock
    case FailurePattern.expiredSession: ShopError.signInAgain
    case FailurePattern.offline: ShopError.offline
    default: error
    }
    // snippet.end
}

func challenged(_ response: HTTP.Response) {
    // snippet.challenge
    let bearer = response.headers.challenges().first { $0.isScheme("Bearer") }
    if let bearer, bearer.bearerError == .insufficientScope {
        print("The token lacks:", bearer.scopes)
    }
    // snippet.end
}

func encoder() -> HTTP.BodyEncoder<Order> {
    // snippet.encoder
    let iso: HTTP.BodyEncoder<Order> = .json { $0.dateEncodingStrategy = .iso8601 }
    // snippet.end
    return iso
}

func decoder() -> HTTP.ResponseDecoder<[Order]> {
    // snippet.decoder
    let orders: HTTP.ResponseDecoder<[Order]> = .json(whenEmpty: .value([])) {
        $0.dateDecodingStrategy = .iso8601
    }
    // snippet.end
    return orders
}

func form(_ client: HTTP.Client) async throws -> HTTP.Response {
    // snippet.form
    let form = HTTP.Multipart([
        .field("title", "At the sea"),
        .file("photo", at: "7.jpg", mediaType: "image/jpeg"),
    ])
    let response = try await client.send(.post("/photos").multipart(form))
    // snippet.end
    return response
}

func priority() throws {
    // snippet.priority
    let priority = try HTTP.StructuredField.Dictionary(parsing: "u=2, i;why=\"first view\"")
    print(priority["u"]?.value?.integer ?? 3)  // 2
    // snippet.end
}

func traced(_ incoming: HTTP.Request, _ api: HTTP.Client) async throws -> HTTP.Response {
    // snippet.trace
    // In a server, of a request that came in:
    let context = HTTP.TraceContext(incoming.headers)
    // and for what is sent on its behalf:
    let response = try await api.send(.get("/stock")) { $0.traceContext = context }
    // snippet.end
    return response
}

func agent() {
    // snippet.agent
    let agent = HTTP.UserAgent("Shop", version: "2.1", comment: "Linux; x86_64")
    print(agent)  // Shop/2.1 (Linux; x86_64)
    // snippet.end
}
