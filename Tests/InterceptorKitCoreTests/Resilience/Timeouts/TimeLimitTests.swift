import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("TimeLimit")
struct TimeLimitTests {
    @Test("the transport's work has ended before the caller continues")
    func endsTheWork() async throws {
        let ended = try await onEverySeed { simulation in
            let recorder = Recorder<String>()
            let transport = Echo<Int> { input, call in
                do {
                    try await call.runtime.sleep(for: .seconds(60))
                } catch {
                    // A transport that takes a moment to unwind.
                    for _ in 0..<5 { await Task.yield() }
                    recorder.note("ended")
                    throw error
                }
                return input
            }
            let pipeline = try Pipeline(transport: transport, runtime: simulation.runtime) {
                TimeoutInterceptor<Int>(attempt: .seconds(1))
            }
            await #expect(throws: TimeoutError.self) { try await pipeline.run(1) }
            recorder.note("returned")
            return recorder.entries
        }

        expectEqual(ended, ["ended", "returned"])
    }

    @Test("an output that arrives is returned even after the timeout")
    func outputBeatsLimit() async throws {
        let output = try await onEverySeed { simulation in
            let transport = Echo<Int> { input, call in
                // Ignores that it was cancelled.
                try? await call.runtime.sleep(for: .seconds(2))
                return input * 2
            }
            let pipeline = try Pipeline(transport: transport, runtime: simulation.runtime) {
                TimeoutInterceptor<Int>(total: .seconds(1))
            }
            return try await pipeline.run(21)
        }

        expectEqual(output, 42)
    }
}
