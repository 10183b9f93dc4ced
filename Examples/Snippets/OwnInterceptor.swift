// The README's interceptor and its test.
import InterceptorKit
import InterceptorKitTesting

// snippet.interceptor
struct TenantInterceptor: Interceptor {
    let tenant: String

    func intercept(chain: InterceptorChain<HTTP.Request>) async throws -> HTTP.Response {
        try await chain.proceed { $0.headers["X-Tenant"] = tenant }
    }
}
// snippet.end

func namesTheTenant() async throws -> Bool {
    // snippet.test
    let transport = ScriptedTransport<HTTP.Request>(replies: [.status(200)])
    let pipeline = try Pipeline(transport: transport) { TenantInterceptor(tenant: "acme") }

    _ = try await pipeline.run(.get("https://api.example.com/orders"))

    return transport.sent.map { $0.input.headers["X-Tenant"] } == ["acme"]
    // snippet.end
}
