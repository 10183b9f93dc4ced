import Expectations
import Foundation
import InterceptorKit
import InterceptorKitStreaming
import Testing

@Suite("Body.lines")
struct BodyLinesTests {
    private func body(_ pieces: String...) -> HTTP.Body {
        .oneShot(
            AsyncStream<Data> { continuation in
                for piece in pieces { continuation.yield(Data(piece.utf8)) }
                continuation.finish()
            }
        )
    }

    private func lines(_ body: HTTP.Body) async throws -> [String] {
        var lines: [String] = []
        for try await line in body.lines { lines.append(line) }
        return lines
    }

    @Test("are those between line endings, with empty ones and the rest")
    func all() async throws {
        try await expectEqual(lines("a\r\n\nb\rc"), ["a", "", "b", "c"])
        try await expectEqual(lines(body("a\r", "\n", "", "b€", "\n")), ["a", "b€"])
        try await expectEqual(lines(.empty), [])
    }

    @Test("have replacement characters for bytes that are not UTF-8")
    func invalid() async throws {
        let found = try await lines(.bytes(Data([0x61, 0xFF, 0x0A, 0xE2, 0x82])))

        expectEqual(found, ["a\u{FFFD}", "\u{FFFD}"])
    }

    @Test("go through a body in memory that is larger than what is held of it")
    func large() async throws {
        let text = (0..<50_000).map { "line \($0)\n" }.joined()

        let found = try await lines(.bytes(Data(text.utf8)))

        expectEqual(found.count, 50_000)
        expectEqual(found.last, "line 49999")
    }

    @Test("end with an error at one over the limit")
    func limit() async throws {
        var seen: [String] = []
        let error = await #expect(throws: HTTP.StreamingError.self) {
            for try await line in body("123\n12", "345\n").lines(limit: 4) { seen.append(line) }
        }

        expectEqual(seen, ["123"])
        expectEqual(error?.code, .tooLong)
    }

    @Test("release the body when the loop is left")
    func leaving() async throws {
        let body = body("a\nb\n", "c\n")

        for try await _ in body.lines { break }

        expectTrue(!body.isOpen)
    }
}
