import Expectations
import Foundation
import InterceptorKit
import InterceptorKitEngine
import Testing

@testable import InterceptorKitCurl

@Suite("HeadParser")
struct HeadParserTests {
    private func findings(_ lines: [String]) -> [HeadParser.ParseResult] {
        var parser = HeadParser()
        return lines.map { parser.take(Array("\($0)\r\n".utf8)) }
    }

    @Test("keeps the order, case and repeats of header fields")
    func keeps() {
        let findings = findings([
            "HTTP/1.1 200 OK", "ETag:\"1\"", "x-a:  b ", "X-A: c", "Empty:", "",
        ])

        let headers = HTTP.Headers([("ETag", "\"1\""), ("x-a", "b"), ("X-A", "c"), ("Empty", "")])
        expectEqual(findings.last, .final(ResponseHead(status: 200, headers: headers)))
        guard case .final(let head) = findings.last else { return }
        expectEqual(head.headers.map(\.name), ["ETag", "x-a", "X-A", "Empty"])
    }

    @Test("joins a folded line with a space")
    func unfolds() {
        let findings = findings(["HTTP/1.1 200 OK", "A: b", " \tc", "\t", "D: e", ""])

        expectEqual(
            findings.last,
            .final(ResponseHead(status: 200, headers: ["A": "b c", "D": "e"]))
        )
    }

    @Test("distinguishes interim heads, the final head and trailers")
    func sections() {
        var parser = HeadParser()
        let lines = [
            "HTTP/1.1 103 Early Hints", "Link: </a>", "", "HTTP/2 204 ", "A: 1", "", "X-T: 2", "",
        ]

        let found = lines.map { parser.take(Array("\($0)\r\n".utf8)) }.filter { $0 != .more }
        parser.finish()

        expectEqual(
            found,
            [
                .interim(ResponseHead(status: 103, headers: ["Link": "</a>"])),
                .final(ResponseHead(status: 204, headers: ["A": "1"])),
            ]
        )
        expectEqual(parser.trailers, ["X-T": "2"])
    }

    @Test(
        "refuses a malformed head",
        arguments: [
            ["HTTP/1.1 200 OK", "no colon"], ["HTTP/1.1 200 OK", "a b: c", ""], ["HTTP/1.1", ""],
            ["HTTP/1.1 200 OK", "Content-Length: 1", "Content-Length: 2", ""],
            ["HTTP/1.1 200 OK", "Content-Length: +1", ""], ["HTTP/1.1 101 Switching", ""],
            ["HTTP/1.1 200 OK", "Content-Length:", ""], ["HTTP/1.1 000 X", ""],
            ["HTTP/1.1 \t200 OK", ""], ["HTTP/1.1 2000", ""], ["HTTP/1.1 20 ", ""],
            ["HTTP/1.1 200 OK", "Content-Length: 92233720368547758070", ""],
        ]
    )
    func malformed(lines: [String]) {
        expectTrue(findings(lines).contains(.malformed))
    }

    @Test("accepts a Content-Length that is repeated with the same value")
    func sameLength() {
        let findings = findings(["HTTP/1.1 200 OK", "Content-Length: 5, 5", ""])

        expectTrue(!findings.contains(.malformed))
    }

    @Test("limits the bytes and lines of all heads together")
    func bounds() {
        var endless = HeadParser()
        var long = HeadParser()
        var many = 0
        while endless.take(Array("A: b\r\n".utf8)) == .more { many += 1 }

        let line = Array("A: \(String(repeating: "x", count: HeadParser.maximumBytes))\r\n".utf8)
        expectEqual(many, HeadParser.maximumLines)
        expectEqual(long.take(line), .tooLarge)
    }
}

extension HeadParser {
    fileprivate mutating func take(_ line: [UInt8]) -> ParseResult {
        // Safety: the parser copies what it keeps.
        unsafe line.withUnsafeBytes { bytes in unsafe take(bytes) }
    }
}
