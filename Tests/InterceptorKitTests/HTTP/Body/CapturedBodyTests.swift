import Expectations
import InterceptorKit
import Testing

@Suite("HTTP.CapturedBody")
struct CapturedBodyTests {
    @Test("is captured if replayable and small, and rethrows a cancellation")
    func captured() async throws {
        let text = try await HTTP.Body.text("abc").captured()
        let tooLarge = try await HTTP.Body.text("abc").captured(upTo: 2)
        let once = try await HTTP.Body.oneShot(ScriptedStream(["a"])).captured()
        let cancelled = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return try await HTTP.Body.replayable { ScriptedStream(["a"]) }.captured()
        }

        expectEqual(text.text, "abc")
        expectEqual(tooLarge.bytes, nil)
        expectEqual(once.bytes, nil)
        await #expect(throws: CancellationError.self) { try await cancelled.value }
    }
}
