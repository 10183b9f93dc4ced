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
}
