#if HTTPTypes
import Expectations
import HTTPTypes
import InterceptorKit
import InterceptorKitHTTPTypes
import Testing

@Suite("Conversions of requests to and from HTTPTypes")
struct RequestHTTPRequestTests {
    static let ours: [(HTTP.Request, HTTP.RequestError.Code)] = [
        (HTTP.Request("not a token", "http://h/"), .invalidMethod),
        (.get("http://h/#part"), .invalidURL), (.get("orders/7"), .invalidURL),
        (.get("http://h/a b"), .invalidURL), (.get("ftp://h/"), .unsupportedScheme),
        (.get("http://h/", headers: ["X-A": "1\r\nX-B: 2"]), .invalidField),
        (.get("http://h/", headers: ["not a token": "1"]), .invalidField),
        (
            .get("http://h/", headers: HTTP.Headers((0...65_534).map { _ in ("a", "") })),
            .invalidField
        ),
    ]

    @Test("refuse a request that HTTPTypes cannot represent", arguments: ours.indices)
    func refusesOurs(index: Int) {
        let (request, code) = RequestHTTPRequestTests.ours[index]

        let error = #expect(throws: HTTP.RequestError.self) { try HTTPRequest(request) }

        expectEqual(error?.code, code)
    }

    @Test("refuse an extended CONNECT")
    func extendedConnect() {
        var request = HTTPRequest(method: .connect, scheme: "http", authority: "h", path: "/")
        request.extendedConnectProtocol = "websocket"

        #expect(throws: HTTP.RequestError.self) { try HTTP.Request(request) }
    }
}
#endif
