import Expectations
import Foundation
import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitStreaming
import TestSupport
import Testing

@Suite("JSON records")
struct JSONRecordsTests {
    private struct Row: Codable, Sendable, Equatable {
        var n: Int
    }

    /// The texts in pieces of each size from 1 byte to all.
    private func eachSplit(
        _ text: String,
        _ read: (HTTP.Body) async throws -> Void
    ) async throws {
        let bytes = Data(text.utf8)
        for size in [1, 2, 3, 5, bytes.count] {
            let chunks = stride(from: 0, to: bytes.count, by: size).map { start in
                Data(bytes[start..<min(start + size, bytes.count)])
            }
            try await read(
                .oneShot(
                    AsyncStream<Data> { continuation in
                        for chunk in chunks { continuation.yield(chunk) }
                        continuation.finish()
                    }
                )
            )
        }
    }

    @Test("are read from lines, blank ones skipped, the last without an ending")
    func lines() async throws {
        try await eachSplit("{\"n\":1}\r\n\n \t\n{\"n\": 2}\n{\"n\":\r3}") { body in
            var rows: [Int] = []
            for try await row in body.jsonLines(of: Row.self) { rows.append(row.n) }

            expectEqual(rows, [1, 2, 3])
        }
    }

    @Test("end with the number and the place of one that cannot be decoded")
    func invalid() async throws {
        let body = HTTP.Body.text("{\"n\":1}\n{\"n\":\"secret\"}\n{\"n\":3}\n")
        var records = body.jsonLines(of: Row.self).makeAsyncIterator()

        let first = try await records.next()
        let error = await #expect(throws: HTTP.StreamingError.self) { try await records.next() }
        let third = try await records.next()

        expectEqual(first?.n, 1)
        expectEqual(error?.code, .invalidRecord)
        expectEqual(error?.message.contains("Record 2"), true)
        expectEqual((error?.cause as? HTTP.DecodingFailure)?.path, "n")
        expectTrue(!"\(String(reflecting: error))".contains("secret"))
        expectEqual(third?.n, 3)
    }

    @Test("skip what cannot be decoded where they are told to")
    func skipping() async throws {
        let body = HTTP.Body.text("{\"n\":1}\n{\n{\"n\":3}\n")
        let skipped = Recorder<HTTP.StreamingError>()
        var rows: [Int] = []

        for try await row in body.jsonLines(of: Row.self, onInvalid: { skipped.note($0) }) {
            rows.append(row.n)
        }

        expectEqual(rows, [1, 3])
        expectEqual(skipped.entries.map(\.code), [.invalidRecord])
    }

    @Test("end with an error at one over the limit", arguments: [true, false])
    func limit(isSequence: Bool) async throws {
        let body = HTTP.Body.text("\u{1E}{\"n\": 1000000}\n")
        let records =
            isSequence
            ? body.jsonSequence(of: Row.self, limit: 8) : body.jsonLines(of: Row.self, limit: 8)

        let error = await #expect(throws: HTTP.StreamingError.self) {
            for try await _ in records {}
        }

        expectEqual(error?.code, .tooLong)
    }

    @Test("may fill the limit without their ending", arguments: [true, false])
    func filledLimit(isSequence: Bool) async throws {
        try await eachSplit("\(isSequence ? "\u{1E}" : ""){\"n\": 10}\n") { body in
            let records =
                isSequence
                ? body.jsonSequence(of: Row.self, limit: 9) : body.jsonLines(of: Row.self, limit: 9)
            var rows: [Int] = []

            for try await row in records { rows.append(row.n) }

            expectEqual(rows, [10])
        }
    }

    @Test("are read from a text sequence, with line feeds and brackets within")
    func sequence() async throws {
        let text =
            "\u{1E}{\"n\":\n1}\n\u{1E}\u{1E}{\n\"s\": \"}\\\"\", \"n\": 2\n}\n\u{1E}{\"n\":3}"
        try await eachSplit(text) { body in
            var rows: [Int] = []
            for try await row in body.jsonSequence(of: Row.self) { rows.append(row.n) }

            expectEqual(rows, [1, 2, 3])
        }
    }

    // RFC 7464 section 2.4.
    @Test("are cut off if a number or word of a sequence has no line feed")
    func truncated() async throws {
        let body = HTTP.Body.text("\u{1E}12\n\u{1E}34\u{1E}56\n\u{1E}78")
        let skipped = Recorder<HTTP.StreamingError>()
        var numbers: [Int] = []

        for try await number in body.jsonSequence(of: Int.self, onInvalid: { skipped.note($0) }) {
            numbers.append(number)
        }

        expectEqual(numbers, [12, 56])
        expectEqual(skipped.entries.count, 2)
    }

    @Test("of a sequence are skipped up to the next separator where one is broken")
    func garbage() async throws {
        let body = HTTP.Body.text("\u{1E}{\"n\":1}\n\u{1E}{\"n\": [\n\u{1E}{\"n\":3}\n")
        let skipped = Recorder<HTTP.StreamingError>()
        var rows: [Int] = []

        for try await row in body.jsonSequence(of: Row.self, onInvalid: { skipped.note($0) }) {
            rows.append(row.n)
        }

        expectEqual(rows, [1, 3])
        expectEqual(skipped.entries.count, 1)
    }

    @Test("release the body when the loop is left", arguments: [true, false])
    func leaving(isSequence: Bool) async throws {
        let body = HTTP.Body.oneShot(
            AsyncStream<Data> { continuation in
                continuation.yield(Data("\u{1E}1\n\u{1E}2\n".dropFirst(isSequence ? 0 : 1).utf8))
                continuation.finish()
            }
        )
        let records = isSequence ? body.jsonSequence(of: Int.self) : body.jsonLines(of: Int.self)

        for try await _ in records { break }

        expectTrue(!body.isOpen)
    }

    @Test("of a sequence come at their line feed, not with the next one")
    func live() async throws {
        let (chunks, continuation) = AsyncStream<Data>.makeStream()
        var records = HTTP.Body.oneShot(chunks).jsonSequence(of: Row.self).makeAsyncIterator()

        continuation.yield(Data("\u{1E}{\"n\":1}\n".utf8))
        let first = try await records.next()
        continuation.finish()

        expectEqual(first?.n, 1)
        try await expectEqual(records.next(), nil)
    }
}
