// What the guide Hooks shows.
import InterceptorKit
import InterceptorKitTransport

actor Activity {
    private var count = 0

    func begin() { count += 1 }
    func end() { count -= 1 }
}

struct Rejected: Error {
    var reason: String
}

// snippet.methods
struct ClientName {
    var hooks: HookInterceptor<HTTP.Request> { HookInterceptor("ClientName", before: before) }

    private func before(_ request: inout HTTP.Request, _ call: inout Call) async throws {
        request.headers["X-Client"] = "tool"
    }
}
// snippet.end

// snippet.plugin
struct ActivityPlugin {
    let activity: Activity

    var hooks: HookInterceptor<HTTP.Request> {
        HookInterceptor(
            before: { request, _ in request.headers["X-Client"] = "tool" },
            willSend: { _, _ in await activity.begin() },
            didReceive: { _, _, _ in await activity.end() },
            validate: { response, _, _ in
                guard let reason = response.headers["X-Rejected"] else { return }
                throw Rejected(reason: reason)
            }
        )
    }
}
// snippet.end

func client(_ activity: Activity) throws -> HTTP.Client {
    // snippet.client
    let api = try HTTP.Client(transport: URLSessionTransport()) {
        ActivityPlugin(activity: activity).hooks
        RetryInterceptor(policy: .standard)
        HookInterceptor<HTTP.Request>(before: { request, call in
            request.headers["X-Attempt"] = "\(call.attempt)"
        })
        SignInterceptor(.hmacSHA256(keyID: "app-1", secret: "secret"))
    }
    // snippet.end
    return api
}

func rpc() -> HookInterceptor<HTTP.Request> {
    // snippet.rpc
    let hooks = HookInterceptor<HTTP.Request>(
        before: { request, call in request.headers["X-Call"] = "\(call.id)" },
        after: { response, request, _ in print(request.url.path, response.status) },
        onError: { error, request, _ in
            guard error is TransportError, request.url.path == "/news" else { return nil }
            return HTTP.Response(200, body: "[]")
        }
    )
    // snippet.end
    return hooks
}
