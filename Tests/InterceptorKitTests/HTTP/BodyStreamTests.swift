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

        #expect(beginning == Data("abcd".utf8))
        #expect(again == Data("abcd".utf8))
        #expect(whole == Data("abcdef".utf8))
        await #expect(throws: HTTP.BodyError.self) { try await body.peek(upTo: 1) }
    }

    @Test("fails for its reader where peeking failed, after the bytes before it")
    func brokenBody() async throws {
        let runtime = Runtime.live
        let body = HTTP.Body.oneShot(
            DrippingStream(runtime, "ab", every: .zero, breaking: (2, Problem()))
        )

        await #expect(throws: Problem()) { try await body.peek(upTo: 100) }
        await #expect(throws: Problem()) { try await body.peek(upTo: 100) }
        #expect(try await body.peek(upTo: 4) == Data("abab".utf8))
        var read = Data()
        await #expect(throws: Problem()) { for try await chunk in body { read += chunk } }
        #expect(read == Data("abab".utf8))
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

    @Test("gives its stream back while nobody has read of it")
    func takesBack() async throws {
        let stream = ScriptedStream(["a"])
        let body = HTTP.Body.oneShot(stream)
        let seen = HTTP.Body.oneShot(ScriptedStream(["a"]))
        _ = try await seen.peek(upTo: 1)

        #expect(body.takeUnreadStream(as: CopyingStream.self) == nil)
        #expect(body.takeUnreadStream(as: ScriptedStream.self) === stream)
        #expect(body.takeUnreadStream(as: ScriptedStream.self) == nil)
        #expect(seen.takeUnreadStream(as: ScriptedStream.self) == nil)
        await #expect(throws: HTTP.BodyError.self) { try await body.collect() }
    }
}
