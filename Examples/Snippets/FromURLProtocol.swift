// What the guide FromURLProtocol shows.
import Foundation
import InterceptorKit
import InterceptorKitCaching
import InterceptorKitRouting
import InterceptorKitTesting
import InterceptorKitTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// snippet.interceptor
struct MaintenanceInterceptor: Interceptor {
    let isDown: @Sendable () -> Bool

    func intercept(chain: InterceptorChain<HTTP.Request>) async throws -> HTTP.Response {
        if isDown(), chain.input.url.path.hasPrefix("/orders") {
            return HTTP.Response(503, headers: ["Retry-After": "600"])
        }
        return try await chain.proceed()
    }
}
// snippet.end

func routed(_ tokens: some CredentialSource, _ jar: CookieJar) throws -> URLSession {
    // snippet.session
    let client = try HTTP.Client(transport: URLSessionTransport()) {
        DefaultHeadersInterceptor(["X-App": "7"])
        CommonParametersInterceptor(origins: ["https://api.example.com"]) { _ in
            ["app_id": "shop"]
        }
        RedirectInterceptor()
        CacheInterceptor(partition: .oneIdentity)
        RetryInterceptor(policy: .standard)
        TokenInterceptor(source: tokens, origins: ["https://api.example.com"])
        CookieInterceptor(store: jar)
    }
    let session = URLSession(configuration: .default.routed(through: client))
    // snippet.end
    return session
}

func mocked() throws -> URLSession {
    // snippet.mock
    let transport = ScriptedTransport<HTTP.Request>(expecting: [
        .get("/orders/7", .status(503), .json(#"{"id": 7}"#))
    ])
    let client = try HTTP.Client(transport: transport) { RetryInterceptor(policy: .standard) }
    let session = URLSession(configuration: .ephemeral.routed(through: client))
    // snippet.end
    return session
}

func filtered() -> HookInterceptor<HTTP.Request> {
    // snippet.body
    let filter = HookInterceptor<HTTP.Request>(after: { response, _, _ in
        let text = try await response.text(upTo: 1 << 20)
        response.headers["Content-Length"] = nil
        response.body = .text(text.replacingOccurrences(of: "\t", with: " "))
    })
    // snippet.end
    return filter
}
