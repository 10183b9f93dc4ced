#if HTTPTypes
import Expectations
import HTTPTypes
import InterceptorKit
import InterceptorKitHTTPTypes
import Testing

@Suite("Conversions of requests to and from HTTPTypes")
struct RequestHTTPRequestTests {
    static let ours: [(HTTP.Request, ConversionError.Code)] = [
        (HTTP.Request("not a token", "http://h/"), .method), (.get("http://h/#part"), .url),
        (.get("orders/7"), .url), (.get("http://h/a b"), .url), (.get("ftp://h/"), .url),
        (.get("http://h/", headers: ["X-A": "1\r\nX-B: 2"]), .field),
        (.get("http://h/", headers: ["not a token": "1"]), .field),
        (.get("http://h/", headers: HTTP.Headers((0...65_534).map { _ in ("a", "") })), .field),
    ]

    @Test("refuse a request that HTTPTypes cannot represent", arguments: ours.indices)
    func refusesOurs(index: Int) {
        let (request, code) = RequestHTTPRequestTests.ours[index]

        let error = #expect(throws: ConversionError.self) { try HTTPRequest(request) }

        expectEqual(error?.code, code)
    }

    @Test("refuse an extended CONNECT")
    func extendedConnect() {
        var request = HTTPRequest(method: .connect, scheme: "http", authority: "h", path: "/")
        request.extendedConnectProtocol = "websocket"

        #expect(throws: ConversionError.self) { try HTTP.Request(request) }
    }
}
#endif
