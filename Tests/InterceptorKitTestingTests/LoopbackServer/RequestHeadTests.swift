import Expectations
import InterceptorKit
import Testing

@testable import InterceptorKitLoopback

@Suite("RequestHead")
struct RequestHeadTests {
    private func head(_ line: String, _ fields: String...) throws(RequestRefusal) -> RequestHead {
        try RequestHead(
            requestLine: Array("\(line)\r\n".utf8),
            fieldLines: fields.map { Array("\($0)\r\n".utf8) }
        )
    }

    @Test("keeps bytes that are not UTF-8 as one character each")
    func keepsOtherBytes() throws {
        let field = Array("A: ".utf8) + [0xE9, 13, 10]

        let head = try RequestHead(
            requestLine: Array("GET /\u{E9} HTTP/1.1\r\n".utf8),
            fieldLines: [Array("Host: a\r\n".utf8), field]
        )

        expectEqual(head.headers["A"], "\u{E9}")
        expectEqual(head.target, "/\u{E9}")
    }

    @Test(
        "splits a target at its first question mark, and drops its origin",
        arguments: [
            ("/a", "/a", nil), ("/a?b", "/a", "b"), ("/a?b?c", "/a", "b?c"), ("/a?", "/a", ""),
            ("/?u=http://b/c", "/", "u=http://b/c"), ("http://b/c?d", "/c", "d"), ("*", "*", nil),
        ] as [(String, String, String?)]
    )
    func target(text: String, path: String, query: String?) throws {
        let head = try head("OPTIONS \(text) HTTP/1.1", "Host: a")

        expectEqual(head.path, path)
        expectEqual(head.query, query)
    }

    @Test(
        "has the URL that was asked for, from the target and Host",
        arguments: [
            ("/a?b", "http://a:81/a?b"), ("https://b/c?d", "https://b/c?d"), ("*", "*"),
        ]
    )
    func url(target: String, text: String) throws {
        expectEqual(try head("OPTIONS \(target) HTTP/1.1", "Host: a:81").url.text, text)
        expectEqual(try head("GET /a HTTP/1.0").url.text, "/a")
    }

    @Test(
        "keeps the connection by its version's rule or a Connection option",
        arguments: [
            ("1.1", nil, true), ("1.1", "close", false), ("1.1", "a,\tClose , b", false),
            ("1.1", "closed", true), ("1.0", nil, false), ("1.0", "Keep-Alive", true),
        ] as [(String, String?, Bool)]
    )
    func keepsAlive(version: String, option: String?, isKept: Bool) throws {
        let field = option.map { "Connection: \($0)" } ?? "A: 1"

        try expectEqual(head("GET / HTTP/\(version)", "Host: a", field).keepsAlive, isKept)
    }

    @Test("heeds an expectation of HTTP/1.1 alone")
    func expectation() throws {
        let expect = "Expect: 100-Continue"

        try expectTrue(head("PUT / HTTP/1.1", "Host: a", expect).expectsContinue)
        try expectTrue(!head("PUT / HTTP/1.0", "Host: a", expect).expectsContinue)
        try expectTrue(!head("PUT / HTTP/1.1", "Host: a", "Expect: 200-ok").expectsContinue)
    }

    @Test("takes a length that is said twice alike, and chunks in any case")
    func framing() throws {
        let length = "Content-Length: 7"

        try expectEqual(head("PUT / HTTP/1.1", "Host: a", length, length).framing, .length(7))
        try expectEqual(head("PUT / HTTP/1.1", "Host: a").framing, .length(0))
        let coded = try head("PUT / HTTP/1.1", "Host: a", "Transfer-Encoding: CHUNKED")
        expectEqual(coded.framing, .chunks)
    }
}
