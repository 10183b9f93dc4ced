import Expectations
import InterceptorKit
import InterceptorKitConcurrency
import Synchronization
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

    @Test("knows whether it is replayable, and its length")
    func kinds() {
        expectTrue(HTTP.Body.empty.isEmpty)
        expectEqual(HTTP.Body.text("abc").length, 3)
        expectTrue(HTTP.Body.replayable(length: 7) { chunks("a") }.isReplayable)
        expectTrue(!HTTP.Body.oneShot(chunks("a")).isReplayable)
        expectEqual(HTTP.Body.oneShot(length: 9, chunks("a")).length, 9)
    }

    @Test("reads a one-shot body once, and then fails as already read")
    func readOnce() async throws {
        let body = HTTP.Body.oneShot(chunks("a", "", "bc"))

        let data = try await body.collect()

        expectEqual(data, Data("abc".utf8))
        let error = await #expect(throws: HTTP.ContentError.self) { try await body.collect() }
        expectEqual(error?.code, .alreadyRead)
    }

    @Test("collects no more than its limit", arguments: [0, 1, 2])
    func limit(limit: Int) async {
        for body in [
            HTTP.Body.text("abc"), .oneShot(chunks("a", "b", "c")),
            .oneShot(length: 3, chunks("abc")),
        ] {
            let error = await #expect(throws: HTTP.ContentError.self) {
                try await body.collect(upTo: limit)
            }
            expectEqual(error?.code, .tooLarge)
        }
    }

    @Test("shows its size and never its content")
    func redaction() {
        var dumped = ""
        dump(HTTP.Body.text("s3cret"), to: &dumped)

        expectEqual("\(HTTP.Body.text("s3cret"))", "6 bytes")
        expectTrue(!dumped.contains("s3cret"))
    }
}
