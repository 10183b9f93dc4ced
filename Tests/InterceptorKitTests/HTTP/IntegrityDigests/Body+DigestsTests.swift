import Expectations
import InterceptorKit
import TestSupport
import Testing

@Suite("HTTP.Body and its digests")
struct BodyDigestsTests {
    private let field = "sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=:"

    @Test("verifies a body in memory each time it is read")
    func replayable() async throws {
        let digests = try HTTP.IntegrityDigests(parsing: field)
        let wrong = try HTTP.Body.text("hello").verified(by: digests)

        expectTrue(wrong.isReplayable)
        for _ in 0..<2 {
            await #expect(throws: HTTP.ContentError.self) { try await wrong.collect() }
        }
    }

    @Test("opens no body for an unknown algorithm")
    func unknown() async throws {
        let opened = Recorder<Bool>()
        let body = HTTP.Body.replayable {
            opened.note(true)
            return CountingStream(chunks: 1)
        }

        let error = await #expect(throws: HTTP.ContentError.self) {
            try await body.digests([.sha256, HTTP.DigestAlgorithm("own")])
        }

        expectEqual(error?.code, .unknownAlgorithm)
        expectTrue(opened.entries.isEmpty)
    }

    @Test("cancels the body that it verifies")
    func cancelling() throws {
        let stream = CountingStream(chunks: 3)
        let digests = try HTTP.IntegrityDigests(parsing: field)

        try HTTP.Body.oneShot(stream).verified(by: digests).cancel()

        expectTrue(stream.cancels > 0)
        expectEqual(stream.read, 0)
    }
}
