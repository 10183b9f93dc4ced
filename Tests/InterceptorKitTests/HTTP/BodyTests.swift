import InterceptorKit
import InterceptorKitConcurrency
import Synchronization
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("HTTP.Body")
struct BodyTests {
    private func chunks(_ texts: String...) -> AsyncStream<Data> {
        AsyncStream { continuation in
            for text in texts { continuation.yield(Data(text.utf8)) }
            continuation.finish()
        }
    }

    private func withFile<Result>(
        _ content: Data,
        _ body: (String) async throws -> Result
    ) async throws -> Result {
        let path = FileManager.default.temporaryDirectory
            .appending(component: "interceptorkit-\(UUID().uuidString)").path
        try content.write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        return try await body(path)
    }

    @Test("knows whether it is replayable, and its length")
    func kinds() {
        #expect(HTTP.Body.empty.isEmpty)
        #expect(HTTP.Body.text("abc").length == 3)
        #expect(HTTP.Body.replayable(length: 7) { chunks("a") }.isReplayable)
        #expect(!HTTP.Body.oneShot(chunks("a")).isReplayable)
        #expect(HTTP.Body.oneShot(length: 9, chunks("a")).length == 9)
    }

    @Test("reads a one-shot body once, and then fails as already read")
    func readOnce() async throws {
        let body = HTTP.Body.oneShot(chunks("a", "", "bc"))

        let data = try await body.collect()

        #expect(data == Data("abc".utf8))
        let error = await #expect(throws: HTTP.BodyError.self) { try await body.collect() }
        #expect(error?.code == .alreadyRead)
    }

    @Test("has its stream's trailers, which come at the end")
    func trailers() async throws {
        let response = HTTP.Response(body: .oneShot(StreamWithTrailers()))
        let before = response.trailers

        _ = try await response.body.collect()

        #expect(before == nil)
        #expect(response.trailers?["Server-Timing"] == "total;dur=7")
        #expect(HTTP.Response(body: "text").trailers == nil)
    }

    @Test("reads a replayable body any number of times")
    func readAgain() async throws {
        let body = HTTP.Body.replayable { chunks("a", "b") }

        let first = try await body.collect()
        let second = try await body.collect()

        #expect(first == second)
        #expect(first == Data("ab".utf8))
    }

    @Test("collects no more than its limit", arguments: [0, 1, 2])
    func limit(limit: Int) async {
        for body in [
            HTTP.Body.text("abc"), .oneShot(chunks("a", "b", "c")),
            .oneShot(length: 3, chunks("abc")),
        ] {
            let error = await #expect(throws: HTTP.BodyError.self) {
                try await body.collect(upTo: limit)
            }
            #expect(error?.code == .tooLarge)
        }
    }

    @Test("can be peeked at and still be read as a whole")
    func peeking() async throws {
        let body = HTTP.Body.oneShot(chunks("ab", "cd", "ef"))

        let beginning = try await body.peek(upTo: 3)
        let again = try await body.peek(upTo: 1)
        let whole = try await body.collect()

        #expect(beginning == Data("abcd".utf8))
        #expect(again == Data("abcd".utf8))
        #expect(whole == Data("abcdef".utf8))
        await #expect(throws: HTTP.BodyError.self) { try await body.peek(upTo: 1) }
    }

    @Test("cancels its stream when a reader leaves early, not at the end")
    func leavingEarly() async throws {
        let left = CountingStream(chunks: 10)
        let read = CountingStream(chunks: 10)

        for try await _ in HTTP.Body.oneShot(left) { break }
        for try await _ in HTTP.Body.oneShot(read) {}

        #expect(left.cancels == 1)
        #expect(read.cancels == 0)
    }

    @Test("reads a file in chunks, whole or a range of it")
    func files() async throws {
        let content = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0) })
        try await withFile(content) { path async throws in
            let whole = HTTP.Body.file(path)
            let range = HTTP.Body.file(path, range: 100_000..<150_001)

            #expect(whole.length == 200_000)
            #expect(range.length == 50_001)
            #expect(try await whole.collect() == content)
            #expect(try await range.collect() == content[100_000..<150_001])
            #expect(try await range.collect() == content[100_000..<150_001])
        }
    }

    @Test("names the file that can't be read, and why")
    func unreadableFiles() async throws {
        let missing = await #expect(throws: HTTP.BodyError.self) {
            try await HTTP.Body.file("no/such/file").collect()
        }
        try await withFile(Data("abc".utf8)) { path async throws in
            let short = await #expect(throws: HTTP.BodyError.self) {
                try await HTTP.Body.file(path, range: 1..<9).collect()
            }
            #expect(short?.description.contains("it has 3 bytes and not 9") == true)
        }

        #expect(missing?.code == .unreadableFile)
        #expect(missing?.description.contains("no/such/file") == true)
    }

    @Test("fails if a file shrinks while it is read")
    func shrinking() async throws {
        try await withFile(Data(count: 200_000)) { path async throws in
            var chunks = HTTP.Body.file(path).makeAsyncIterator()
            let first = try await chunks.next()
            try Data(count: 70_000).write(to: URL(filePath: path), options: [])

            let error = await #expect(throws: HTTP.BodyError.self) {
                while try await chunks.next() != nil {}
            }

            #expect(first?.isEmpty == false)
            #expect(error?.code == .unreadableFile)
            #expect(error?.description.contains("it became shorter") == true)
        }
    }

    @Test("is captured if replayable and small, and rethrows a cancellation")
    func captured() async throws {
        let text = try await HTTP.Body.text("abc").captured()
        let tooLarge = try await HTTP.Body.text("abc").captured(upTo: 2)
        let once = try await HTTP.Body.oneShot(chunks("a")).captured()
        let cancelled = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return try await HTTP.Body.replayable { chunks("a") }.captured()
        }

        #expect(text.text == "abc")
        #expect(tooLarge.bytes == nil)
        #expect(once.bytes == nil)
        await #expect(throws: CancellationError.self) { try await cancelled.value }
    }

    @Test("shows its size and never its content")
    func redaction() {
        var dumped = ""
        dump(HTTP.Body.text("s3cret"), to: &dumped)

        #expect("\(HTTP.Body.text("s3cret"))" == "6 bytes")
        #expect(!dumped.contains("s3cret"))
    }
}

private final class StreamWithTrailers: BodyStream {
    private let left = Lock(2)

    var trailers: HTTP.Headers? {
        left.withLock { $0 } == 0 ? ["Server-Timing": "total;dur=7"] : nil
    }

    func next() async throws -> Data? {
        left.withLock { left in
            left -= 1
            return left > 0 ? Data("a".utf8) : nil
        }
    }

    func cancel() {}
}
