import Expectations
import Foundation
import InterceptorKit
import InterceptorKitTesting
import InterceptorKitTransport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("HTTP.Client with URLRequest")
struct ClientURLRequestTests {
    @Test("sends a URLRequest through the chain and returns an HTTPURLResponse")
    func data() async throws {
        let transport = ScriptedTransport<HTTP.Request>(replies: [
            .status(503), .status(201, headers: ["X-Id": "7"], body: "made"),
        ])
        var policy = RetryPolicy<HTTP.Request>.standard
        policy.backoff.base = .zero
        let client = try HTTP.Client(transport: transport, timeout: nil) { [policy] in
            RetryInterceptor(policy: policy)
        }
        var request = URLRequest(url: try unwrap(URL(string: "https://api.example.com/orders")))
        request.httpMethod = "PUT"
        request.httpBody = Data("order".utf8)
        request.setValue("text/plain", forHTTPHeaderField: "Content-Type")

        let (data, response) = try await client.data(for: request)

        expectEqual(String(decoding: data, as: UTF8.self), "made")
        expectEqual(response.statusCode, 201)
        expectEqual(response.value(forHTTPHeaderField: "X-Id"), "7")
        expectEqual(transport.sent.map(\.input.method), [.put, .put])
        expectEqual(transport.sent.last?.input.body.inMemory, Data("order".utf8))
    }

    @Test(
        "applies the request's timeout, limited to a usable range",
        arguments: [
            (2.5, Duration.seconds(2.5)), (-1, .milliseconds(1)), (.infinity, .seconds(1e9)),
            (.greatestFiniteMagnitude, .seconds(1e9)),
        ]
    )
    func timeouts(interval: TimeInterval, expected: Duration) async throws {
        let transport = ScriptedTransport<HTTP.Request> { _, _ in HTTP.Response() }
        let client = try HTTP.Client(transport: transport, timeout: nil) {}
        var request = URLRequest(url: try unwrap(URL(string: "https://api.example.com/")))
        request.timeoutInterval = interval

        _ = try await client.data(for: request)

        let sent = try unwrap(transport.sent.first)
        let deadline = try unwrap(sent.call.deadline)
        let left = sent.instant.duration(to: deadline)
        expectTrue(left <= expected && left > expected - .seconds(60))
    }
}
