import Expectations
import InterceptorKit
import Testing

@Suite("HTTP.Body, wrapped")
struct BodyWrappingTests {
    private func copied(_ body: HTTP.Body) -> HTTP.Body {
        body.wrapping { CopyingStream($0) { _ in } }
    }

    @Test("has the trailers of what it wraps once that was read")
    func trailers() async throws {
        let wrapped = copied(copied(.oneShot(ScriptedStream(["a"], .trailers(["X-Sum": "1"])))))
        expectEqual(wrapped.trailers, nil)

        _ = try await wrapped.collect()

        expectEqual(wrapped.trailers?["X-Sum"], "1")
    }

    @Test("has another length if one is given, and its media type")
    func length() throws {
        let body = HTTP.Body.text("ab")

        let wrapped = body.wrapping(length: nil) { CopyingStream($0) { _ in } }

        expectEqual(wrapped.length, nil)
        expectEqual(copied(body).length, 2)
        expectEqual(wrapped.mediaType, "text/plain; charset=utf-8")
    }
}
