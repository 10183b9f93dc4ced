import Expectations
import Foundation
import InterceptorKit
import Testing

@testable import InterceptorKitStreaming

@Suite("LineSplitter")
struct LineSplitterTests {
    /// The lines of text that comes in pieces.
    private func lines(
        _ pieces: [Data],
        endings: LineSplitter.Endings = .any,
        limit: Int = 100
    ) throws -> [String] {
        var splitter = LineSplitter(endings: endings, limit: limit)
        var lines: [String] = []
        for piece in pieces {
            splitter.append(piece)
            while let line = try splitter.next() {
                lines.append(String(decoding: line, as: UTF8.self))
            }
        }
        if let rest = splitter.rest() { lines.append(String(decoding: rest, as: UTF8.self)) }
        return lines
    }

    @Test(
        "finds the same lines wherever the bytes are split",
        arguments: [
            ("a\nb\r\nc\rd", ["a", "b", "c", "d"]),
            ("\r\n\r\n", ["", ""]),
            ("\r\r\n\n", ["", "", ""]),
            ("a\n\r", ["a", ""]),
            ("\u{FEFF}€\n\u{FEFF}豆腐\r\n", ["€", "\u{FEFF}豆腐"]),
            ("\u{FEFF}", []),
            ("", []),
            ("\n", [""]),
        ]
    )
    func everySplit(text: String, expected: [String]) throws {
        let bytes = Data(text.utf8)

        for first in 0...bytes.count {
            for second in first...bytes.count {
                let pieces = [bytes[..<first], bytes[first..<second], bytes[second...]]
                let found = try lines(pieces.filter { !$0.isEmpty })

                expectEqual(found, expected, "split at \(first) and \(second)")
            }
        }
    }

    @Test("takes a carriage return for a part of a line that LF ends")
    func lineFeedOnly() throws {
        let found = try lines([Data("a\rb\n\r\n".utf8)], endings: .lineFeed)

        expectEqual(found, ["a\rb", "\r"])
    }

    @Test("refuses a line over the limit before its ending comes")
    func unendedLimit() throws {
        var splitter = LineSplitter(limit: 4)

        splitter.append(Data("1234".utf8))
        let first = try splitter.next()
        splitter.append(Data("5".utf8))

        expectEqual(first, nil)
        #expect(throws: HTTP.StreamingError.self) { try splitter.next() }
    }

    @Test("refuses a line over the limit, and takes one that fills it")
    func limit() throws {
        let line = Data("12345\n".utf8)

        try expectEqual(lines([line], limit: 5), ["12345"])
        #expect(throws: HTTP.StreamingError.self) { try lines([line], limit: 4) }
        #expect(throws: HTTP.StreamingError.self) {
            try lines(line.map { Data([$0]) }, limit: 4)
        }
    }
}
