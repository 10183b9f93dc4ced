#if HTTPTypes
import Expectations
import HTTPTypes
import InterceptorKit
import InterceptorKitHTTPTypes
import InterceptorKitTesting
import Testing

@Suite("The landing page's code")
struct LandingPageTests {
    private func answer(
        to received: HTTPRequest,
        with content: HTTP.Body,
        through client: HTTP.Client
    ) async throws -> (HTTPResponse, HTTP.Body) {
        let request = try HTTP.Request(received, body: content)
        let response = try await client.send(request)
        let answer = try HTTPResponse(response)
        return (answer, response.body)
    }

    @Test("sends an HTTPRequest through a chain and returns an HTTPResponse")
    func proxies() async throws {
        let transport = ScriptedTransport<HTTP.Request>(replies: [
            .status(201, headers: ["X-Id": "7"], body: "made")
        ])
        let client = try HTTP.Client(transport: transport) {}
        let received = HTTPRequest(method: .put, scheme: "http", authority: "h:81", path: "/a?b=1")

        let (head, body) = try await answer(to: received, with: "order", through: client)
        let content = try await body.collect()

        expectEqual(head.status, .created)
        expectEqual(head.headerFields.map(\.name.rawName), ["X-Id"])
        expectEqual(String(decoding: content, as: UTF8.self), "made")
        expectEqual(transport.sent.first?.input.url, "http://h:81/a?b=1")
    }
}
#endif
