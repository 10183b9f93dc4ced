import Expectations
import InterceptorKit
import Testing

@Suite("HTTP.WeakBody")
struct WeakBodyTests {
    @Test("is not kept by a weak reference, which can end it")
    func weak() async throws {
        var body: HTTP.Body? = .oneShot(ScriptedStream(["a"], .silence))
        let kept = HTTP.Body.oneShot(ScriptedStream(["a"], .silence))
        let reference = try unwrap(body.flatMap { HTTP.WeakBody($0) })
        let other = try unwrap(HTTP.WeakBody(kept))
        expectTrue(reference.isOpen)

        body = nil
        other.cancel()

        expectTrue(!reference.isAlive && !reference.isOpen)
        expectTrue(other.isAlive && !other.isOpen && !kept.isOpen)
        expectTrue(HTTP.WeakBody("in memory") == nil)
    }
}
