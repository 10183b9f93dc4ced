import Expectations
import InterceptorKit
import Testing

@testable import InterceptorKitLoopback

@Suite("RequestParser")
struct RequestParserTests {
    /// What a parser made of some bytes: requests, and the status of a refusal.
    private struct Result: Equatable {
        var requests: [String] = []
        var refusal: Int?
        var expectations = 0
    }

    private func parse(_ pieces: [String], bodyLimit: Int = 100, headLimit: Int = 200) -> Result {
        var parser = RequestParser(bodyLimit: bodyLimit, headLimit: headLimit)
        var result = Result()
        for piece in pieces {
            parser.append(piece.utf8)
            while let event = parser.next() {
                switch event {
                case .head: break
                case .expectation: result.expectations += 1
                case .request(let request):
                    let body = String(decoding: request.body, as: UTF8.self)
                    result.requests.append("\(request.head.method) \(request.head.target) \(body)")
                case .refusal(let refusal): result.refusal = refusal.status.code
                }
            }
        }
        return result
    }

    private static let stream =
        "\r\nGET /a HTTP/1.1\r\nHost: a\r\n\r\n"
        + "POST /b HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc"
        + "PUT /c HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked\r\n\r\n"
        + "2;x=\"y\"\r\nde\r\n00A\r\n0123456789\r\n0\r\nX-T: 1\r\n\r\n"
        + "GET http://b/d?e HTTP/1.0\r\n\r\n"

    @Test(
        "parses the same requests however the bytes are split",
        arguments: [1, 2, 3, 7, 64, 1000]
    )
    func ignoresPieces(size: Int) {
        let characters = Array(Self.stream.utf8)
        let pieces = stride(from: 0, to: characters.count, by: size).map {
            String(decoding: characters[$0..<min($0 + size, characters.count)], as: UTF8.self)
        }

        let result = parse(pieces)

        expectEqual(
            result.requests,
            [
                "GET /a ", "POST /b abc", "PUT /c de0123456789", "GET http://b/d?e ",
            ]
        )
        expectEqual(result.refusal, nil)
    }

    @Test(
        "refuses a malformed or unsupported request",
        arguments: [
            ("GET / HTTP/1.1\nHost: a\n\n", 400),
            ("GET / HTTP/1.1\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
            ("GET  / HTTP/1.1\r\nHost: a\r\n\r\n", 400),
            ("GET /a b HTTP/1.1\r\nHost: a\r\n\r\n", 400),
            ("G(T / HTTP/1.1\r\nHost: a\r\n\r\n", 400),
            ("GET /\r\n\r\n", 400),
            ("GET / FTP/1.1\r\nHost: a\r\n\r\n", 400),
            ("PRI * HTTP/2.0\r\n\r\n", 505),
            ("GET / HTTP/1.1\r\nHost : a\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nHost: a\r\nnocolon\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nHost: a\r\nA: 1\r\n folded\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nHost: a\r\nA: 1\r2\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nHost: a\r\nA: 1\u{0}2\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1, 1\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nHost: a\r\nContent-Length:\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 101\r\n\r\n", 413),
            (
                "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
                400
            ),
            ("GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", 501),
            ("GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n", 400),
            ("GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n+1\r\n", 400),
            ("GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc", 400),
            ("GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\nabc", 400),
            (
                "GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\n",
                400
            ),
            (
                "GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n7FFFFFFFFFFFFFFF\r\n",
                413
            ),
            (
                "GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nbad\r\n\r\n",
                400
            ),
            (String(repeating: "a", count: 201), 431),
            ("GET / HTTP/1.1\r\n" + String(repeating: "A: 1\r\n", count: 40), 431),
        ]
    )
    func refuses(bytes: String, status: Int) {
        expectEqual(parse([bytes]), Result(refusal: status))
    }

    @Test("parses nothing after a refusal")
    func stopsAfterRefusal() {
        let result = parse(["nonsense\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\n\r\n"])

        expectEqual(result, Result(refusal: 400))
    }

    @Test("reports an expectation only if none of the body has arrived")
    func reportsExpectations() {
        let head = "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nExpect: 100-Continue\r\n\r\n"

        expectEqual(parse([head, "x"]), Result(requests: ["PUT / x"], expectations: 1))
        expectEqual(parse([head + "x"]), Result(requests: ["PUT / x"]))
        expectEqual(parse([head]), Result(expectations: 1))
    }
}
