import Expectations
import InterceptorKit
import Synchronization
import Testing

@Suite("HTTP.Body, tapped")
struct TappedStreamTests {
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

        expectEqual(
            told.withLock { $0 },
            [
                "1", "completed", "1", "failed", "abandoned",
            ]
        )
    }
}
