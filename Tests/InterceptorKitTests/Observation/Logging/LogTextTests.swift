import Expectations
import TestSupport
import Testing

@testable import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("LogText")
struct LogTextTests {
    private let text = LogText(redaction: .standard)

    private func exchange(
        _ response: HTTP.Response,
        of request: HTTP.Request = .get(orders)
    ) -> ObservedExchange {
        ObservedExchange(
            request: request,
            call: Call(),
            date: Date(timeIntervalSince1970: 0),
            began: Runtime.Instant(offset: .zero),
            responded: Runtime.Instant(offset: .milliseconds(12)),
            outcome: .response(response)
        )
    }

    /// The block of a response whose body was read, without the call's id.
    private func block(
        _ bytes: [UInt8],
        _ headers: HTTP.Headers = [:],
        upTo limit: Int = 100
    ) throws -> String {
        let records = Recorder<HTTP.BodyRecord>()
        let body = HTTP.Body.bytes(bytes).recorded(upTo: limit) { records.note($0) }
        let exchange = exchange(HTTP.Response(200, headers: headers, body: body))
        let record = try unwrap(records.entries.first)
        let end = exchange.responded.advanced(by: .seconds(1))
        return text.response(exchange, record, endedAt: end)
            .split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.drop { $0 != " " }.dropFirst() }.joined(separator: "\n")
    }

    @Test(
        "says whether a response came from a cache, and how",
        arguments: [
            (HTTP.CacheStatus.hit, "200 OK from cache (12 ms)"),
            (.stale, "200 OK from cache, stale (12 ms)"),
            (.validated, "200 OK from cache, validated (12 ms)"), (.miss, "200 OK (12 ms)"),
        ]
    )
    func cached(status: HTTP.CacheStatus, expected: String) {
        var response = HTTP.Response(200, body: .oneShot(CountingStream(chunks: 1)))
        response.cacheStatus = status

        let line = text.line(exchange(response))

        expectTrue(line.hasSuffix("→ \(expected)"), "\(line)")
    }

    @Test(
        "gives the length of binary bodies, and escapes control characters",
        arguments: [
            ([0xFF, 0xFE, 0x00], [:], "(3 bytes that are no text)"),
            ([0x1F, 0x8B, 0x08, 0xFF], ["Content-Encoding": "gzip"], "(4 bytes. The content is"),
            (Array("a\u{1B}[2Jb\rc".utf8), [:], "a�[2Jb�c"),
            (Array("\u{202E}x".utf8), [:], "�x"),
        ] as [([UInt8], HTTP.Headers, String)]
    )
    func binary(bytes: [UInt8], headers: HTTP.Headers, shown: String) throws {
        let block = try block(bytes, headers)

        expectTrue(block.contains("\n\n\(shown)"), "\(block)")
        expectTrue(block.hasSuffix("\n(\(bytes.count) bytes in 1000 ms)"), "\(block)")
    }

    @Test("truncates between characters")
    func characters() throws {
        let block = try block(Array("aé€x".utf8), upTo: 4)

        expectTrue(block.contains("\n\naé\n(and 4 bytes more)\n"), "\(block)")
    }

    @Test("cuts no more than a character's bytes off what is no text")
    func cut() {
        let broken = Data([0x61, 0x80, 0x80, 0x80, 0x80])

        expectEqual(HTTP.wholeCharacters(broken, isCut: true), broken)
        expectEqual(HTTP.wholeCharacters(Data("a€".utf8).dropLast(), isCut: true), Data("a".utf8))
        expectEqual(HTTP.wholeCharacters(Data("a€".utf8).dropLast(), isCut: false).count, 3)
        expectTrue(HTTP.wholeCharacters(Data(), isCut: true).isEmpty)
    }

    @Test("keeps a record on its line, whatever the request says")
    func forged() {
        let request = HTTP.Request(
            "GET\n[abcd] PUT",
            "https://h/\u{2028}x\r",
            headers: ["Accept": "a\tb"]
        )

        let line = text.line(exchange(HTTP.Response(204), of: request))
        let block = text.request(request, Call(), bodyLimit: nil)

        expectTrue(
            line.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0 != "\u{2028}" },
            "\(line)"
        )
        expectEqual(block.split(separator: "\n").count, 2, "\(block)")
        expectTrue(block.hasSuffix("Accept: a\tb"), "\(block)")
    }
}
