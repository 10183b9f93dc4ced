// What the guide TestAnInterceptor shows of real sockets.
import InterceptorKit
import InterceptorKitTesting
import InterceptorKitTransport

func overSockets() async throws -> Bool {
    // snippet.loopback
    let server = try LoopbackServer(script: [
        .reset,
        .json(#"{"id": 7}"#).throttled(bytes: 2, every: .milliseconds(1)),
    ])
    defer { server.stop() }
    let transport = URLSessionTransport()
    defer { transport.close() }
    let client = try HTTP.Client(transport: transport) {
        BaseURLInterceptor("\(server.origin)")
        RetryInterceptor(policy: .standard)
    }

    let response = try await client.send(.get("/orders/7"))
    let text = try await response.text()

    return server.requests.count == 2 && text == #"{"id": 7}"#
    // snippet.end
}
print(try await overSockets())
