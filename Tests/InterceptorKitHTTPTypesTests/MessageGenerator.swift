#if HTTPTypes
import HTTPTypes
import InterceptorKit
import InterceptorKitTesting

/// Messages of all kinds that are valid, and foreign ones that may not be.
struct MessageGenerator {
    private var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func request() -> HTTP.Request {
        HTTP.Request(
            HTTP.Method(rawValue: token()),
            HTTP.URL(unvalidated: url()),
            headers: headers(),
            body: .text(text(of: printable + ["é", "\n"], upTo: 20))
        )
    }

    mutating func response() -> HTTP.Response {
        HTTP.Response(HTTP.Status(Int.random(in: 100...999, using: &random)), headers: headers())
    }

    /// Pseudo-header fields of any characters, and field values of any bytes.
    mutating func foreignRequest() -> HTTPRequest {
        var fields = HTTPFields()
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            guard let name = HTTPField.Name(token()) else { continue }
            let isText = Int.random(in: 0..<20, using: &random) > 0
            let bytes = (0..<Int.random(in: 0...6, using: &random)).map { _ in
                UInt8.random(in: isText ? 0x21...0x7E : 0...0xFF, using: &random)
            }
            fields.append(HTTPField(name: name, lenientValue: bytes))
        }
        let mayBe = Array("ab/?#@:[] .%2F").map(String.init)
        return HTTPRequest(
            method: .get,
            scheme: oneOf(["http", "https", "HTTP", "ftp", nil]),
            authority: oneOf(["host", "Host:81", "[::1]:8", text(of: mayBe, upTo: 3), nil]),
            path: oneOf(["/", "/a?b=1", "*", "", nil, "/" + text(of: mayBe, upTo: 6)]),
            headerFields: fields
        )
    }

    private mutating func headers() -> HTTP.Headers {
        let names = [token(), "X-Repeated", "x-repeated", "Set-Cookie", token()]
        let characters = printable + [" ", "\t", "\u{1}", "\u{7F}", "é", "東"]
        return HTTP.Headers(
            (0..<Int.random(in: 0...8, using: &random)).map { _ in
                (oneOf(names), text(of: characters, upTo: 12))
            }
        )
    }

    private mutating func url() -> String {
        let unreserved = Array("abcXYZ019-._~!$&'()*+,;=:@").map(String.init) + ["%2F", "%c3%A9"]
        let path = "/" + text(of: unreserved + ["/", "//"], upTo: 10)
        let query = oneOf(["", "?", "?" + text(of: unreserved + ["/", "?"], upTo: 10)])
        let scheme = oneOf(["http", "https", "HTTPS"])
        let host = oneOf(["example.com", "Example.COM", "127.0.0.1", "[::1]"])
        let port = oneOf(["", ":80", ":8080"])
        let isRelative = Int.random(in: 0..<5, using: &random) == 0 && !path.hasPrefix("//")
        return isRelative ? path + query : "\(scheme)://\(host)\(port)\(path)\(query)"
    }

    private mutating func token() -> String {
        let characters = Array("abcdefXYZ019!#$%&'*+-.^_`|~").map(String.init)
        return oneOf(characters) + text(of: characters, upTo: 12)
    }

    private let printable = (0x21...0x7E).map { String(UnicodeScalar(UInt8($0))) }

    private mutating func text(of parts: [String], upTo count: Int) -> String {
        (0..<Int.random(in: 0...count, using: &random)).map { _ in oneOf(parts) }.joined()
    }

    private mutating func oneOf<Value>(_ values: [Value]) -> Value {
        values[Int.random(in: values.indices, using: &random)]
    }
}
#endif
