import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("HTTP.Multipart")
struct MultipartTests {
    private func text(_ form: HTTP.Multipart) async throws -> String {
        String(decoding: try await form.content().body.collect(), as: UTF8.self)
    }

    @Test("writes parts between boundaries as in RFC 7578")
    func layout() async throws {
        let folder = try Folder()
        try folder.write(Data("jpeg".utf8), to: "7.jpg")
        let form = HTTP.Multipart(
            [
                .field("title", "At the sea"),
                .file("photo", at: folder["7.jpg"], mediaType: "image/jpeg"),
                .init("note", "ok", filename: "", mediaType: "text/plain", headers: ["X-A": "b"]),
            ],
            boundary: "XYZ"
        )

        let content = try form.content()
        let bytes = try await content.body.collect()

        expectEqual(content.mediaType, "multipart/form-data; boundary=XYZ")
        expectTrue(content.body.isReplayable)
        expectEqual(content.body.length, bytes.count)
        expectEqual(
            String(decoding: bytes, as: UTF8.self),
            [
                "--XYZ", #"Content-Disposition: form-data; name="title""#, "", "At the sea",
                "--XYZ", #"Content-Disposition: form-data; name="photo"; filename="7.jpg""#,
                "Content-Type: image/jpeg", "", "jpeg",
                "--XYZ", #"Content-Disposition: form-data; name="note"; filename="""#,
                "X-A: b", "Content-Type: text/plain", "", "ok", "--XYZ--", "",
            ].joined(separator: "\r\n")
        )
    }

    @Test("closes a form without parts")
    func empty() async throws {
        try await expectEqual(text(HTTP.Multipart(boundary: "XYZ")), "--XYZ--\r\n")
    }

    @Test(
        "escapes names and file names as browsers do",
        arguments: [
            ("a\"b", "a%22b", "a%22b"), ("ü%22", "ü%22", "ü%22"), ("a;b\\c", "a;b\\c", "a;b\\c"),
            ("a\r\nX: y", "a%0D%0AX: y", "a%0D%0AX: y"), ("a\nb\r", "a%0D%0Ab%0D%0A", "a%0Ab%0D"),
            ("\r\r\n", "%0D%0A%0D%0A", "%0D%0D%0A"),
        ]
    )
    func escaping(text: String, name: String, filename: String) async throws {
        let form = HTTP.Multipart([.init(text, "", filename: text)], boundary: "B")

        let lines = try await self.text(form).split(
            separator: "\r\n",
            omittingEmptySubsequences: false
        )

        expectEqual(
            lines[1],
            "Content-Disposition: form-data; name=\"\(name)\"; filename=\"\(filename)\""
        )
        expectEqual(lines.count, 6)
    }

    @Test("is replayable, and has a length, if each of its parts is and has")
    func kinds() async throws {
        let known = HTTP.Body.replayable(length: 2048) { Chunks(count: 2) }
        let unknown = HTTP.Body.replayable { Chunks(count: 2) }
        let once = HTTP.Body.oneShot(length: 2048, CountingStream(chunks: 2))

        let first = try HTTP.Multipart([.field("a", "b"), .init("c", known)]).content().body
        let second = try HTTP.Multipart([.init("c", unknown)]).content().body
        let third = try HTTP.Multipart([.init("c", once)]).content().body

        let reads = [try await first.collect(), try await first.collect()]
        expectTrue(first.isReplayable && reads[0] == reads[1] && first.length == reads[0].count)
        expectTrue(second.isReplayable && second.length == nil)
        expectTrue(!third.isReplayable)
        try await expectEqual(third.collect().count, third.length)
    }

    @Test("draws the boundary from the runtime: 128 bits")
    func boundaries() throws {
        let runtime = Runtime.virtual(clock: VirtualClock(), seed: 7)
        let expected = Runtime.virtual(clock: VirtualClock(), seed: 7).randomBytes(16).hexadecimal

        let content = try HTTP.Multipart([.field("a", "b")]).content(on: runtime)

        expectEqual(
            content.mediaType,
            "multipart/form-data; boundary=InterceptorKit-\(expected)"
        )
        expectEqual(expected.count, 32)
    }

    @Test(
        "refuses a boundary that is invalid or occurs in a part",
        arguments: [
            "", "a b", "ü", "a\r\nb", "taken", String(repeating: "a", count: 71), "a\"b",
        ]
    )
    func invalidBoundary(boundary: String) throws {
        let form = HTTP.Multipart([.field("a", "b--taken")], boundary: boundary)

        let error = #expect(throws: HTTP.ContentError.self) { try form.content() }

        expectEqual(error?.code, .invalidBoundary)
    }

    @Test("writes parts without names, and the type of the first related one")
    func related() async throws {
        let photo = HTTP.Multipart(
            [
                .init(try .json(["a": 1])),
                .init("jpeg", filename: "7\".jpg", mediaType: "image/jpeg"),
                .init(
                    .bytes([0x61]),
                    headers: ["Content-ID": "<1>", "Content-Disposition": "inline"]
                ),
            ],
            subtype: .related,
            boundary: "B"
        )

        let content = try photo.content()

        expectEqual(content.mediaType, #"multipart/related; boundary=B; type="application/json""#)
        try await expectEqual(
            text(photo),
            [
                "--B", "Content-Type: application/json", "", #"{"a":1}"#,
                "--B", #"Content-Disposition: attachment; filename="7%22.jpg""#,
                "Content-Type: image/jpeg", "", "jpeg",
                "--B", "Content-ID: <1>", "Content-Disposition: inline", "", "a", "--B--", "",
            ].joined(separator: "\r\n")
        )
    }

    @Test("puts parts within parts, which can be files and streams")
    func nested() async throws {
        let folder = try Folder()
        try folder.write(Data("jpeg".utf8), to: "7.jpg")
        let inner = HTTP.Multipart(
            [.init(.file(folder["7.jpg"]))],
            subtype: .alternative,
            boundary: "I"
        )
        let form = HTTP.Multipart(
            [.field("a", "b"), try .multipart(inner, named: "c")],
            boundary: "B"
        )
        let mixed = HTTP.Multipart([try .multipart(inner)], subtype: .mixed, boundary: "B")

        let content = try mixed.content()

        expectEqual(content.mediaType, "multipart/mixed; boundary=B")
        try await expectEqual(content.body.length, content.body.collect().count)
        try await expectEqual(
            text(mixed),
            [
                "--B", "Content-Type: multipart/alternative; boundary=I", "",
                "--I", "", "jpeg", "--I--", "", "--B--", "",
            ].joined(separator: "\r\n")
        )
        try await expectTrue(
            text(form).contains(
                "name=\"c\"\r\nContent-Type: multipart/alternative; boundary=I\r\n\r\n--I\r\n"
            )
        )
    }

    @Test("refuses names outside of forms, and the outer boundary for inner parts")
    func misplaced() throws {
        let inner = HTTP.Multipart([.init("x")], subtype: .mixed, boundary: "B")

        let named = #expect(throws: HTTP.ContentError.self) {
            try HTTP.Multipart([.field("a", "b")], subtype: .mixed).content()
        }
        let same = #expect(throws: HTTP.ContentError.self) {
            try HTTP.Multipart([.multipart(inner)], subtype: .mixed, boundary: "B").content()
        }

        expectEqual(named?.code, .invalidPart)
        expectEqual(same?.code, .invalidBoundary)
    }

    @Test("sends a tab in a name, as browsers do")
    func tab() throws {
        let part = HTTP.Multipart.Part("a\tb", "", filename: "c\td")

        let body = try HTTP.Multipart([part], boundary: "b").content().body.inMemory

        let text = String(decoding: body ?? Data(), as: UTF8.self)
        expectTrue(text.contains("name=\"a\tb\"; filename=\"c\td\""))
    }

    @Test(
        "refuses invalid parts",
        arguments: [
            HTTP.Multipart.Part("a\0", ""), .init("a", "", filename: "\u{1}"), .init("\u{7F}", ""),
            .init("a", "", mediaType: "text/plain\r\nX: y"), .init("a", "", headers: ["X Y": "z"]),
            .init("a", "", headers: ["content-disposition": "x"]), .init(.text("b")),
            .init("", "b"),
        ]
    )
    func invalidPart(part: HTTP.Multipart.Part) throws {
        let error = #expect(throws: HTTP.ContentError.self) {
            try HTTP.Multipart([part]).content()
        }

        expectEqual(error?.code, .invalidPart)
    }

    @Test("refuses a missing file")
    func missingFile() throws {
        let folder = try Folder()

        let error = #expect(throws: HTTP.ContentError.self) {
            try HTTP.Multipart([.file("f", at: folder["none"])]).content()
        }

        expectEqual(error?.code, .unreadableFile)
    }

    @Test("keeps every part apart from the others, whatever it contains")
    func anyParts() async throws {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<300 {
            let parts = (0..<Int.random(in: 0...4, using: &random)).map { _ in
                let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
                    "-\r\nBa\0\u{FF}".utf8.randomElement(using: &random) ?? 0
                }
                return HTTP.Multipart.Part("n\(bytes.count)", .bytes(bytes))
            }

            let content = try HTTP.Multipart(parts).content()

            let read = split(
                try await content.body.collect(),
                by: "--" + (content.mediaType ?? "").split(separator: "=")[1]
            )
            expectEqual(read, parts.map { $0.body.inMemory ?? Data() })
        }
    }

    // Reads a form as RFC 2046 section 5.1.1 says, apart from what wrote it.
    private func split(_ bytes: Data, by delimiter: String) -> [Data] {
        let mark = Array(delimiter.utf8)
        let all = Array(bytes)
        var starts: [Int] = []
        for start in all.indices.dropLast(mark.count - 1)
        where all[start..<(start + mark.count)].elementsEqual(mark) {
            starts.append(start)
        }
        return zip(starts, starts.dropFirst()).map { start, end in
            let part = all[(start + mark.count + 2)..<(end - 2)]
            let head = part.indices.first { part[$0...].starts(with: Array("\r\n\r\n".utf8)) }
            return Data(part[((head ?? part.endIndex) + 4)...])
        }
    }
}

private struct Chunks: AsyncSequence, Sendable {
    let count: Int

    func makeAsyncIterator() -> Iterator { Iterator(left: count) }

    struct Iterator: AsyncIteratorProtocol {
        var left: Int

        mutating func next() async throws -> Data? {
            guard left > 0 else { return nil }
            left -= 1
            return Data(repeating: 0x61, count: 1024)
        }
    }
}
