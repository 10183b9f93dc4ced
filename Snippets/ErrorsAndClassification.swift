// What the guide ErrorsAndClassification shows.
import InterceptorKit
import InterceptorKitTransport

enum ShopError: Error {
    case outOfStock
    case unavailable
}

func shop(_ tokens: some CredentialSource) throws -> HTTP.Client {
    // snippet.envelope
    let envelope = ResponseEnvelope(code: "code", message: "message", success: ["0"])
    let classifier = OutcomeClassifier<HTTP.Request>.standard
        .reading(envelope, unauthorized: ["4001"], transient: ["5001"], throttled: ["5002"])

    var policy = RetryPolicy<HTTP.Request>.standard
    policy.classifier = classifier

    let api = try HTTP.Client(transport: URLSessionTransport()) {
        ErrorFilterInterceptor(envelope: envelope)
        RetryInterceptor(policy: policy)
        TokenInterceptor(
            source: tokens,
            origins: ["https://api.example.com"],
            classifier: classifier
        )
    }
    // snippet.end
    return api
}

func filter() -> ErrorFilterInterceptor {
    // snippet.filter
    let filter = ErrorFilterInterceptor(
        envelope: ResponseEnvelope(),
        recover: { error, request in
            guard request.url.path == "/news", error is TransportError else { return nil }
            return HTTP.Response(200, headers: ["Content-Type": "application/json"], body: "[]")
        },
        map: { error in
            guard let error = error as? ResponseError else { return ShopError.unavailable }
            return error.businessCode == "1001" ? ShopError.outOfStock : error
        }
    )
    // snippet.end
    return filter
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
