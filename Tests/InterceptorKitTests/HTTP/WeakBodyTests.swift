import InterceptorKit
import Testing

@Suite("HTTP.WeakBody")
struct WeakBodyTests {
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
