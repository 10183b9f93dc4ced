import InterceptorKit
import Synchronization
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("HTTP.Body, wrapped")
struct WrappedBodyTests {
    private func copied(_ body: HTTP.Body) -> HTTP.Body {
        body.wrapping { CopyingStream($0) { _ in } }
    }

    @Test("claims a body that can be read once when it is first read")
    func claims() async throws {
        let body = HTTP.Body.oneShot(ScriptedStream(["a"]))
        let wrapped = copied(body)

        let original = try await body.collect()

        #expect(original == Data("a".utf8))
        let error = await #expect(throws: HTTP.BodyError.self) { try await wrapped.collect() }
        #expect(error?.code == .alreadyRead)
    }

    @Test("cancels what it wraps, read or not", arguments: [false, true])
    func cancels(isRead: Bool) async throws {
        let stream = ScriptedStream(["a"], .silence)
        let wrapped = copied(.oneShot(stream))
        if isRead { _ = try await wrapped.peek(upTo: 1) }

        wrapped.cancel()

        #expect(stream.isCancelled.withLock { $0 })
        #expect(!wrapped.isOpen)
        await #expect(throws: CancellationError.self) { try await wrapped.collect() }
    }

    @Test("has the trailers of what it wraps once that was read")
    func trailers() async throws {
        let wrapped = copied(copied(.oneShot(ScriptedStream(["a"], .trailers(["X-Sum": "1"])))))
        #expect(wrapped.trailers == nil)

        _ = try await wrapped.collect()

        #expect(wrapped.trailers?["X-Sum"] == "1")
    }

    @Test("has another length if one is given, and its media type")
    func length() throws {
        let body = HTTP.Body.text("ab")

        let wrapped = body.wrapping(length: nil) { CopyingStream($0) { _ in } }

        #expect(wrapped.length == nil)
        #expect(copied(body).length == 2)
        #expect(wrapped.mediaType == "text/plain; charset=utf-8")
    }

    @Test("tells how the reading ended")
    func endings() async throws {
        let told = Mutex<[String]>([])
        func tapped(_ end: ScriptedStream.End) -> HTTP.Body {
            HTTP.Body.oneShot(ScriptedStream(["a"], end)).tapped { chunk in
                told.withLock { $0.append("\(chunk.count)") }
            } onEnd: { ending in
                told.withLock { $0.append(ending.failure == nil ? "\(ending)" : "failed") }
            }
        }

        _ = try await tapped(.trailers([:])).collect()
        await #expect(throws: ScriptedStream.Broken.self) { try await tapped(.error).collect() }
        _ = tapped(.silence)

        #expect(
            told.withLock { $0 } == [
                "1", "completed", "1", "failed", "abandoned",
            ]
        )
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

    @Test("is not kept by a weak reference, which can end it")
    func weak() async throws {
        var body: HTTP.Body? = .oneShot(ScriptedStream(["a"], .silence))
        let kept = HTTP.Body.oneShot(ScriptedStream(["a"], .silence))
        let reference = try #require(body.flatMap { HTTP.WeakBody($0) })
        let other = try #require(HTTP.WeakBody(kept))
        #expect(reference.isOpen)

        body = nil
        other.cancel()

        #expect(!reference.isAlive && !reference.isOpen)
        #expect(other.isAlive && !other.isOpen && !kept.isOpen)
        #expect(HTTP.WeakBody("in memory") == nil)
    }
}

@Suite("Syntax for interceptors")
struct PublicSyntaxTests {
    @Test("knows tokens, names, blanks and quoted strings")
    func fields() {
        #expect(HTTP.FieldSyntax.isToken("X-Sum") && !HTTP.FieldSyntax.isToken("X Sum"))
        #expect(!HTTP.FieldSyntax.isToken(""))
        #expect(HTTP.FieldSyntax.isSameName("ETag", "etag"))
        #expect(HTTP.FieldSyntax.trimmed(" \ta b ") == "a b")
        #expect(HTTP.FieldSyntax.quoted(#"a"b\"#) == #""a\"b\\""#)
    }

    @Test("encodes all but unreserved characters, and decodes them")
    func percent() {
        #expect(HTTP.PercentEncoding.encode("a-b/ü") == "a-b%2F%C3%BC")
        #expect(HTTP.PercentEncoding.decode("a%2fb%zz") == "a/b%zz")
        #expect(HTTP.PercentEncoding.decodedBytes("a+%00".utf8, plusIsBlank: true) == [97, 32, 0])
    }

    @Test("compares bytes")
    func bytes() {
        #expect(ConstantTime.isEqual([1, 2], [1, 2]))
        #expect(!ConstantTime.isEqual([1, 2], [1, 3]) && !ConstantTime.isEqual([1], [1, 2]))
    }
}
