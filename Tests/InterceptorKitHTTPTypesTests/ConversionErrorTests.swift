#if HTTPTypes
import HTTPTypes
import InterceptorKit
import InterceptorKitHTTPTypes
import Testing

@Suite("Conversions to and from HTTPTypes")
struct ConversionErrorTests {
    static let ours: [(HTTP.Request, ConversionError.Code)] = [
        (HTTP.Request("not a token", "http://h/"), .method), (.get("http://h/#part"), .url),
        (.get("orders/7"), .url), (.get("http://h/a b"), .url), (.get("ftp://h/"), .url),
        (.get("http://h/", headers: ["X-A": "1\r\nX-B: 2"]), .field),
        (.get("http://h/", headers: ["not a token": "1"]), .field),
        (.get("http://h/", headers: HTTP.Headers((0...65_534).map { _ in ("a", "") })), .field),
    ]

    @Test("refuse a request that HTTPTypes cannot represent", arguments: ours.indices)
    func refusesOurs(index: Int) {
        let (request, code) = ConversionErrorTests.ours[index]

        let error = #expect(throws: ConversionError.self) { try HTTPRequest(request) }

        #expect(error?.code == code)
    }

    static let theirs: [(scheme: String?, authority: String?, path: String?)] = [
        ("http", "h", nil), ("http", "h", "*"), ("http", "h", ""), ("http", "h/a", "/b"),
        ("http", "h", "/a#b"), ("http", "user@h", "/"), ("http", nil, "/"), (nil, "h", "/"),
        (nil, nil, "//h/a"), ("mailto", "h", "/"),
    ]

    @Test("refuse pseudo-header fields that do not form a URL", arguments: theirs.indices)
    func refusesTheirs(index: Int) {
        let (scheme, authority, path) = ConversionErrorTests.theirs[index]
        let request = HTTPRequest(method: .get, scheme: scheme, authority: authority, path: path)

        let error = #expect(throws: ConversionError.self) { try HTTP.Request(request) }

        #expect(error?.code == .url)
    }

    @Test("refuse an extended CONNECT")
    func extendedConnect() {
        var request = HTTPRequest(method: .connect, scheme: "http", authority: "h", path: "/")
        request.extendedConnectProtocol = "websocket"

        #expect(throws: ConversionError.self) { try HTTP.Request(request) }
    }

    static let values: [[UInt8]] = [[0xEB], Array(" a".utf8), Array("a\t".utf8)]

    @Test("refuse, by name, a field that HTTP.Headers would change", arguments: values)
    func refusesValues(bytes: [UInt8]) throws {
        let name = try #require(HTTPField.Name("X-Name"))

        let error = #expect(throws: ConversionError.self) {
            try HTTP.Headers(HTTPFields([HTTPField(name: name, lenientValue: bytes)]))
        }

        #expect(error?.code == .field)
        #expect(error?.description.contains("X-Name") == true)
    }

    @Test("refuse a status without exactly three digits", arguments: [-1, 1000])
    func refusesStatus(code: Int) {
        let error = #expect(throws: ConversionError.self) {
            try HTTPResponse(HTTP.Response(HTTP.Status(code)))
        }

        #expect(error?.code == .status)
    }

    @Test("turn an empty path into a slash")
    func emptyPath() throws {
        let paths = try ["http://h", "http://h?a=1"].map {
            try HTTPRequest(.get(HTTP.URL($0))).path
        }

        #expect(paths == ["/", "/?a=1"])
    }

    @Test("give a status its registered reason phrase")
    func reasonPhrase() throws {
        let statuses = try [404, 299].map { try HTTPResponse.Status(HTTP.Status($0)) }

        #expect(statuses.map(\.reasonPhrase) == ["Not Found", ""])
    }
}
#endif
