// What the guide FromAsyncHTTPClient shows.
import InterceptorKit
import InterceptorKitAsyncHTTPClient
import InterceptorKitCurl

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

struct Order: Decodable {
    var id: Int
}

// snippet.client
func client(over transport: some Transport<HTTP.Request>) throws -> HTTP.Client {
    try HTTP.Client(transport: transport, timeout: .seconds(30)) {
        BaseURLInterceptor("https://api.example.com/v1")
        ErrorFilterInterceptor()
        RedirectInterceptor()
        RetryInterceptor(policy: .standard)
    }
}

func order(_ api: HTTP.Client) async throws -> Order {
    try await api.send(.get("/orders/7")).decode(Order.self, upTo: 1 << 20)
}
// snippet.end

#if AsyncHTTPClient
func onNIO() async throws -> Order {
    // snippet.nio
    let transport = AsyncHTTPClientTransport()
    let order = try await order(client(over: transport))
    await transport.shutdown()
    // snippet.end
    return order
}
#endif

func upload(_ api: HTTP.Client, _ lines: AsyncStream<String>) async throws -> HTTP.Response {
    // snippet.body
    let body = HTTP.Body.oneShot(lines.map { Data($0.utf8) })
    let response = try await api.send(.post("/log", body: body))
    // snippet.end
    return response
}
