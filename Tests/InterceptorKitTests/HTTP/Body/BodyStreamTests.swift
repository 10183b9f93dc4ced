import Expectations
import InterceptorKit
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("BodyStream")
struct BodyStreamTests {
    @Test("can be peeked at and still be read as a whole")
    func peeking() async throws {
        let body = HTTP.Body.oneShot(ScriptedStream(["ab", "cd", "ef"]))

        let beginning = try await body.peek(upTo: 3)
        let again = try await body.peek(upTo: 1)
        let whole = try await body.collect()

        expectEqual(beginning, Data("abcd".utf8))
        expectEqual(again, Data("abcd".utf8))
        expectEqual(whole, Data("abcdef".utf8))
        await #expect(throws: HTTP.ContentError.self) { try await body.peek(upTo: 1) }
    }

    @Test("fails for its reader where peeking failed, after the bytes before it")
    func brokenBody() async throws {
        let runtime = Runtime.live
        let body = HTTP.Body.oneShot(
            DrippingStream(runtime, "ab", every: .zero, breaking: (2, Problem()))
        )

        await #expect(throws: Problem()) { try await body.peek(upTo: 100) }
        await #expect(throws: Problem()) { try await body.peek(upTo: 100) }
        try await expectEqual(body.peek(upTo: 4), Data("abab".utf8))
        var read = Data()
        await #expect(throws: Problem()) { for try await chunk in body { read += chunk } }
        expectEqual(read, Data("abab".utf8))
    }

    @Test("cancels its stream when a reader leaves early, not at the end")
    func leavingEarly() async throws {
        let left = CountingStream(chunks: 10)
        let read = CountingStream(chunks: 10)

        for try await _ in HTTP.Body.oneShot(left) { break }
        for try await _ in HTTP.Body.oneShot(read) {}

        expectEqual(left.cancels, 1)
        expectEqual(read.cancels, 0)
    }

    @Test("gives its stream back while nobody has read of it")
    func takesBack() async throws {
        let stream = ScriptedStream(["a"])
        let body = HTTP.Body.oneShot(stream)
        let seen = HTTP.Body.oneShot(ScriptedStream(["a"]))
        _ = try await seen.peek(upTo: 1)

        expectTrue(body.takeUnreadStream(as: CopyingStream.self) == nil)
        expectTrue(body.takeUnreadStream(as: ScriptedStream.self) === stream)
        expectTrue(body.takeUnreadStream(as: ScriptedStream.self) == nil)
        expectTrue(seen.takeUnreadStream(as: ScriptedStream.self) == nil)
        await #expect(throws: HTTP.ContentError.self) { try await body.collect() }
    }
}
