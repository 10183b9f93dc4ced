import Expectations
import InterceptorKit
import InterceptorKitTesting
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("HTTP.Body, captured")
struct BodyCapturedTests {
    private let stream = AsyncStream<Data> { $0.finish() }

    @Test("is captured if replayable and small, and rethrows a cancellation")
    func captured() async throws {
        let text = try await HTTP.Body.text("abc").captured()
        let tooLarge = try await HTTP.Body.text("abc").captured(upTo: 2)
        let once = try await HTTP.Body.oneShot(stream).captured()
        let cancelled = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return try await HTTP.Body.replayable { [stream] in stream }.captured()
        }

        expectEqual(text.text, "abc")
        expectEqual(tooLarge.bytes, nil)
        expectEqual(once.bytes, nil)
        await #expect(throws: CancellationError.self) { try await cancelled.value }
    }
}
