// What the guide FromAPIObjects shows.
import InterceptorKit
import InterceptorKitTransfers
import InterceptorKitTransport

struct Order: Codable, Sendable {
    var id: Int
}

struct Rejected: Error {
    var reason: String
}

// snippet.endpoint
extension HTTP.Endpoint {
    static func orders(page: Int) -> Self where Output == [Order] {
        Self(.get, "/orders", query: ["page": "\(page)"], decoder: .json)
    }
}
// snippet.end

// snippet.plugin
struct CheckPlugin {
    var hooks: HookInterceptor<HTTP.Request> {
        HookInterceptor(
            willPrepare: { request, call in print("start", call.id, request) },
            before: { request, call in request.headers["X-Attempt"] = "\(call.attempt)" },
            willSend: { request, _ in print("sends", request) },
            didReceive: { result, _, _ in print("received", result) },
            validate: { response, _, _ in
                guard let reason = response.headers["X-Rejected"] else { return }
                throw Rejected(reason: reason)
            }
        )
    }
}
// snippet.end

func client(_ deviceID: String, _ secret: String, _ tokens: some CredentialSource) async throws {
    // snippet.settings
    var settings = HTTP.Client.Settings(baseURL: "https://api.example.com/v1")
    settings.appID = "shop"
    settings.appVersion = "2.1"
    settings.deviceID = deviceID
    settings.credentials = tokens
    settings.secret = secret
    settings.isDebugging = true
    settings.envelope = HTTP.ResponseEnvelope(code: "code", message: "message", success: [0])
    settings.interceptors = [CheckPlugin().hooks]
    let api = try HTTP.Client(settings, transport: URLSessionTransport())
    // snippet.end

    // snippet.start
    let call = api.start(.orders(page: 1)) { result in
        switch result {
        case .success(let orders): print(orders.count)
        case .failure(let error as ResponseError): print(error.businessCode ?? "", error)
        case .failure(let error): print(error)
        }
    }
    call.cancel()
    api.cancelAll()
    // snippet.end

    // snippet.upload
    let form = try HTTP.Multipart([
        .field("title", "At the sea"),
        .file("photo", at: "7.jpg", mediaType: "image/jpeg"),
    ]).content()
    let upload = api.startUpload(.post("/photos").content(form))
    for await progress in upload.progress { print(progress) }
    print(try await upload.value.status)
    // snippet.end
}
