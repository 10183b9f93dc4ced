import Expectations
import InterceptorKit
import Synchronization
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("BodySource")
struct BodySourceTests {
    private func copied(_ body: HTTP.Body) -> HTTP.Body {
        body.wrapping { CopyingStream($0) { _ in } }
    }

    @Test("claims a body that can be read once when it is first read")
    func claims() async throws {
        let body = HTTP.Body.oneShot(ScriptedStream(["a"]))
        let wrapped = copied(body)

        let original = try await body.collect()

        expectEqual(original, Data("a".utf8))
        let error = await #expect(throws: HTTP.ContentError.self) { try await wrapped.collect() }
        expectEqual(error?.code, .alreadyRead)
    }

    @Test("cancels what it wraps, read or not", arguments: [false, true])
    func cancels(isRead: Bool) async throws {
        let stream = ScriptedStream(["a"], .silence)
        let wrapped = copied(.oneShot(stream))
        if isRead { _ = try await wrapped.peek(upTo: 1) }

        wrapped.cancel()

        expectTrue(stream.isCancelled.withLock { $0 })
        expectTrue(!wrapped.isOpen)
        await #expect(throws: CancellationError.self) { try await wrapped.collect() }
    }

    @Test("ends as cancelled if that comes while it is opened")
    func cancelledWhileOpening() async throws {
        let source = Mutex<(any HTTP.BodyStream)?>(nil)
        let body = HTTP.Body.replayable {
            source.withLock { $0 }?.cancel()
            return ScriptedStream(["a"])
        }
        let stream = body.stream()
        source.withLock { $0 = stream }

        await #expect(throws: CancellationError.self) { try await stream.next() }
        await #expect(throws: CancellationError.self) { try await stream.next() }
    }
}
