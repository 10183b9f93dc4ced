// What the guide ErrorsAndClassification shows.
import InterceptorKit
import InterceptorKitTransport

enum ShopError: Error {
    case outOfStock
    case signInAgain
    case noCredit
    case notFound
    case unavailable
}

struct Order: Decodable {
    var id: Int
}

func shop(_ tokens: some CredentialSource) throws -> HTTP.Client {
    // snippet.envelope
    let envelope = HTTP.ResponseEnvelope(
        success: [0, "OK"],
        unauthorized: [4001],
        transient: [5001],
        throttled: [5002]
    )

    let api = try HTTP.Client(transport: URLSessionTransport(), envelope: envelope) {
        ErrorFilterInterceptor()
        RetryInterceptor()
        TokenInterceptor(source: tokens, origins: ["https://api.example.com"])
    }
    // snippet.end
    return api
}

func order(_ api: HTTP.Client) async throws -> Order? {
    // snippet.status
    do {
        return try await api.send(.get("/orders/7")).decode(Order.self)
    } catch FailurePattern.status(404) {
        return nil
    }
    // snippet.end
}

func filter() -> ErrorFilterInterceptor {
    // snippet.filter
    let filter = ErrorFilterInterceptor(
        recover: { error, request in
            guard request.url.path == "/news", FailurePattern.offline.matches(error) else {
                return nil
            }
            return HTTP.Response(200, headers: ["Content-Type": "application/json"], body: "[]")
        },
        map: { error in
            switch error {
            case FailurePattern.code(1001): ShopError.outOfStock
            case FailurePattern.expiredSession: ShopError.signInAgain
            case FailurePattern.problem("https://shop.example/out-of-credit"): ShopError.noCredit
            case FailurePattern.status(404): ShopError.notFound
            case FailurePattern.mediaType("text/html"), FailurePattern.offline:
                ShopError.unavailable
            default: error
            }
        }
    )
    // snippet.end
    return filter
}

func otherEnvelope(_ response: HTTP.Response) async throws -> Order {
    // snippet.other
    let order = try await response.decode(Order.self, in: HTTP.ResponseEnvelope(data: "result"))
    // snippet.end
    return order
}

struct Answer: Decodable {
    var code: Int
    var data: Order
}

func order(_ api: HTTP.Client) async throws -> (Order, Answer) {
    // snippet.content
    let order = try await api.send(.get("/orders/7")).decode(Order.self)
    let answer = try await api.send(.get("/orders/7")).decode(Answer.self, in: nil)
    // snippet.end
    return (order, answer)
}

func validated() throws -> HTTP.Client {
    // snippet.validation
    let api = try HTTP.Client(transport: URLSessionTransport()) {
        ErrorFilterInterceptor()
        ResponseValidationInterceptor(
            contentTypes: ["application/json"],
            fields: ["ETag"],
            members: ["data.items"]
        )
        RetryInterceptor(policy: .standard)
    }
    // snippet.end
    return api
}

func classifier() -> OutcomeClassifier<HTTP.Request> {
    // snippet.classifier
    let classifier = OutcomeClassifier<HTTP.Request>.standard.preceded { outcome in
        guard case .success(let response) = outcome.result, response.status == 409 else {
            return nil
        }
        return .transient("409 Conflict, which this service resolves by itself")
    }
    // snippet.end
    return classifier
}
