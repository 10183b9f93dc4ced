import ConformanceVectors
import Expectations
import Foundation
import InterceptorKit
import TestSupport
import Testing

private let generated = ProcessInfo.processInfo.environment["INTERCEPTORKIT_CHARSETS"]

@Suite("HTTP.Response, text")
struct ResponseTextTests {
    private struct Row: Codable {
        var type: String?
        var bytes: [UInt8]
        /// `nil` for what is refused.
        var text: String?
        var repaired: String?

        init(_ type: String?, _ bytes: [UInt8], _ text: String?, repaired: String? = nil) {
            (self.type, self.bytes, self.text) = (type, bytes, text)
            self.repaired = repaired ?? text
        }

        var response: HTTP.Response {
            var response = HTTP.Response(body: .bytes(bytes))
            response.headers["Content-Type"] = type
            return response
        }

        func isRead() async -> Bool {
            let text = try? await response.text()
            let isRepaired =
                if let repaired { (try? await response.text(repairing: true)) == repaired } else {
                    true
                }
            let decoded = try? await response.decode(by: .text)
            return text == self.text && decoded == text && isRepaired
        }
    }

    private static let rows: [Row] = [
        // UTF-8: without a charset, with one, and with another for ASCII.
        Row(nil, Array("é€😀".utf8), "é€😀"), Row("text/plain", [0xC3, 0xA9], "é"),
        Row("text/plain;charset=\"UTF-8\"", [0xC3, 0xA9], "é"), Row(nil, [], ""),
        Row("text/plain; a=\"; charset=utf-16\"; Charset = utf8 ", [0xC3, 0xA9], "é"),
        Row(nil, [0x61, 0xFF, 0x62], nil, repaired: "a\u{FFFD}b"),
        Row("text/plain; charset=utf-8", [0xE2, 0x82, 0x62], nil, repaired: "\u{FFFD}b"),
        Row(nil, [0xED, 0xA0, 0x80], nil, repaired: "\u{FFFD}\u{FFFD}\u{FFFD}"),
        // A byte order mark is before the field, and is no text.
        Row(nil, [0xEF, 0xBB, 0xBF, 0x61], "a"),
        Row(nil, [0xFE, 0xFF, 0x20, 0xAC], "€"), Row(nil, [0xFF, 0xFE, 0xAC, 0x20], "€"),
        Row("text/plain; charset=iso-8859-1", [0xEF, 0xBB, 0xBF, 0xC3, 0xA9], "é"),
        Row("text/plain; charset=utf-16le", [0xFE, 0xFF, 0x20, 0xAC], "€"),
        Row("text/plain; charset=x-unknown", [0xFF, 0xFE, 0xAC, 0x20], "€"),
        Row(nil, [0xFF, 0xFE, 0xAC], nil, repaired: "\u{FFFD}"),
        // UTF-16, little-endian without a mark, as in browsers.
        Row("text/plain; charset=utf-16", [0xAC, 0x20], "€"),
        Row("text/plain; charset=UTF-16BE", [0xD8, 0x3D, 0xDE, 0x00], "😀"),
        Row("text/plain; charset=utf-16be", [0xD8, 0x3D], nil, repaired: "\u{FFFD}"),
        Row("text/plain; charset=utf-16le", [0x61, 0, 0x62], nil, repaired: "a\u{FFFD}"),
        Row("text/plain; charset=utf-16be", [0xD8, 0x3D, 0xDE], nil, repaired: "\u{FFFD}"),
        // ISO-8859-1 is windows-1252, in which each byte is a character.
        Row("text/html; charset=ISO-8859-1", [0x63, 0xE9, 0x80, 0x81], "cé€\u{81}"),
        Row("text/html; charset=latin1", [0xFF], "ÿ"), Row("a/b; charset=cp1252", [0x93], "“"),
        Row("text/html; charset=us-ascii", [0x61, 0x80], "a€"),
        Row("text/html; charset=windows-1252", [0x9F], "Ÿ"),
        // What the system reads.
        Row("text/plain; charset=iso-8859-2", [0xB1], "ą"), Row("a/b; charset=latin2", [0xB1], "ą"),
        Row("text/plain; charset=iso-8859-15", [0xA4], "€"),
        Row("text/plain; charset=iso-8859-9", [0xFD, 0x80], "ı€"),
        Row("text/plain; charset=windows-1251", [0xCF, 0xF0], "Пр"),
        Row("text/plain; charset=koi8-r", [0xD0], "п"), Row("a/b; charset=cp866", [0x8F], "П"),
        Row("text/plain; charset=Shift_JIS", [0x82, 0xA0, 0x87, 0x40], "あ①"),
        Row("text/plain; charset=shift_jis", [0x61, 0x82], nil, repaired: "a\u{FFFD}"),
        Row("text/plain; charset=sjis", [0x85, 0x20, 0x61], nil, repaired: "\u{FFFD} a"),
        Row("text/plain; charset=euc-jp", [0xA4, 0xA2], "あ"),
        Row(
            "text/plain; charset=iso-2022-jp",
            [0x1B, 0x24, 0x42, 0x24, 0x22, 0x1B, 0x28, 0x42],
            "あ"
        ),
        Row("text/plain; charset=gb2312", [0xB0, 0xA1, 0x81, 0x30, 0x81, 0x30], "啊\u{80}"),
        Row("text/plain; charset=big5", [0xA4, 0x40], "一"),
        Row("text/plain; charset=euc-kr", [0xB0, 0xA1, 0x81, 0x41], "가갂"),
        Row("text/plain; charset=windows-1255", [0xE9], "י"),  // Held back until the end.
        Row("text/plain; charset=utf-32", [0xFF, 0xFE, 0, 0, 0xAC, 0x20, 0, 0], "€"),
        Row("text/plain; charset=utf-32be", [0, 0, 0x20, 0xAC], "€"),
        // A name that is not known is no reason to refuse UTF-8, unless it hides other text in ASCII.
        Row("text/plain; charset=x-unknown", [0xC3, 0xA9], "é"), Row("a/b; charset=", [0x61], "a"),
        Row("text/plain; charset=utf8mb4", [0x61, 0xE9], nil, repaired: "a\u{FFFD}"),
        Row("text/plain; charset=utf-7", Array("+AGE-".utf8), nil, repaired: "+AGE-"),
        Row("text/plain; charset=iso-2022-kr", [0x61], nil, repaired: "a"),
        Row("text/plain; charset=UTF-8//IGNORE", [0x61, 0xFF], nil, repaired: "a\u{FFFD}"),
    ]

    /// These rows, and those of `Tests/Comparisons/charsets`.
    @Test("is in the charset of its mark, of its type, or UTF-8")
    func charsets() async throws {
        var conformance = Conformance("charsets")

        for row in Self.rows {
            conformance.note(await row.isRead(), "\(row.type ?? "no type"): \(row.bytes)")
        }
        if let generated {
            for line in try String(contentsOfFile: generated, encoding: .utf8).utf8.split(
                separator: 0x0A
            ) {
                let row = try JSONDecoder().decode(Row.self, from: Data(line))
                conformance.note(await row.isRead(), "\(row)")
            }
        }

        print(conformance.summary)
        expectEqual(conformance.failures.prefix(20), [])
    }

    @Test(
        "is refused by an error that says the charset and shows no content",
        arguments: [
            (nil, "malformedText", "UTF-8"), ("a/b; charset=utf-16be", "malformedText", "UTF-16BE"),
            ("a/b; charset=\"s\u{202E}jis\"", "unknownCharset", "\"s\\u{202E}jis\""),
            ("a/b; charset=sjis", "malformedText", "\"sjis\""),
            ("a/b; charset=x", "unknownCharset", "\"x\""),
        ] as [(String?, String, String)]
    )
    func refusal(type: String?, code: String, charset: String) async {
        let response = Row(type, Array("s3cret".utf8) + [0x85], nil).response

        let error = await #expect(throws: HTTP.ContentError.self) { try await response.text() }

        expectEqual(error?.code.description, code)
        expectEqual(error?.message.contains(charset), true, "\(error?.message ?? "")")
        expectEqual(error.map { "\($0)".contains("s3cret") }, false)
    }

    @Test("is limited, read once, and its errors are mapped")
    func errors() async throws {
        var response = HTTP.Response(body: .bytes([0xFF, 0xFF, 0xFF]))
        response.onDecodingFailure = { _ in Problem(text: "named") }
        let (plain, mapped) = (HTTP.Response(body: response.body), response)

        await #expect(throws: HTTP.ContentError.self) { try await plain.text(upTo: 2) }
        await #expect(throws: Problem(text: "named")) { try await mapped.text() }
        try await expectEqual(mapped.text(repairing: true), "\u{FFFD}\u{FFFD}\u{FFFD}")
    }

    @Test("is read in one pass, however long and malformed")
    func long() async throws {
        // One character in three bytes is longer than the buffer, and no character is cut where it ends.
        let whole = Row(
            "text/plain; charset=gbk",
            Array(repeating: [0xB0, 0xA1], count: 40_000).flatMap(\.self),
            nil
        )
        let malformed = Row("text/plain; charset=sjis", Array(repeating: 0x85, count: 40_000), nil)

        let text = try await whole.response.text()
        let repaired = try await malformed.response.text(repairing: true)

        expectEqual(text, String(repeating: "啊", count: 40_000))
        expectTrue(repaired.unicodeScalars.allSatisfy { $0 == "\u{FFFD}" })
    }
}
