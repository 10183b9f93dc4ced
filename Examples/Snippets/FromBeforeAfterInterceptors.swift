// What the guide FromBeforeAfterInterceptors shows.
import InterceptorKit
import InterceptorKitTransport

enum GatewayError: Error {
    case sessionExpired
    case unreachable
}

func interceptors() -> HookInterceptor<HTTP.Request> {
    // snippet.hooks
    let audit = HookInterceptor<HTTP.Request>(
        before: { request, call in request.headers["X-Call"] = "\(call.id)" },
        after: { response, request, _ in print(request.url.path, response.status) },
        onError: { error, request, _ in
            print(request.url.path, error)
            return nil  // the error goes on
        }
    )
    // snippet.end
    return audit
}

// snippet.keys
struct AppKeys: SigningKeyStore {
    let secrets: [String: String]
    let main: String

    func key(id: String?) -> SigningKey? {
        let id = id ?? main
        return secrets[id].map { SigningKey(id: id, secret: $0.utf8) }
    }
}
// snippet.end

// snippet.container
func common(
    _ tokens: some CredentialSource,
    _ keys: AppKeys
) -> CompositeInterceptor<HTTP.Request> {
    CompositeInterceptor("common") {
        ErrorFilterInterceptor(
            map: { error in
                switch error {
                case FailurePattern.expiredSession: GatewayError.sessionExpired
                case FailurePattern.offline: GatewayError.unreachable
                default: error
                }
            }
        )
        RetryInterceptor()
        TokenInterceptor(source: tokens, origins: ["https://gateway.example.com"])
        SignInterceptor(RequestSigner(HMACScheme(), keys: keys))
    }
}
// snippet.end

func client(_ tokens: some CredentialSource, _ keys: AppKeys, isAudited: Bool) async throws {
    let audit = interceptors()
    // snippet.client
    let envelope = HTTP.ResponseEnvelope(
        code: "resultStatus",
        message: "tips",
        success: [1000],
        unauthorized: [2000],
        transient: [1001],
        throttled: [1002]
    )
    let gateway = try HTTP.Client(transport: URLSessionTransport(), envelope: envelope) {
        BaseURLInterceptor("https://gateway.example.com/mgw")
        if isAudited { audit }
        common(tokens, keys)
    }
    let login = try await gateway.send(.post("/login")) { call in
        call.signingKeyID = "app-2"
        call.credentialUse = .none
    }
    let health = try await gateway.send(.get("/health")) { $0.signsRequest = false }
    // snippet.end
    print(login.status, health.status)
}
