import Expectations
import InterceptorKit
import TestSupport
import Testing

@Suite("TransportStage")
struct StageTests {
    @Test("sends nothing for a task that is already cancelled")
    func cancelledBeforeSending() async throws {
        let recorder = Recorder<Int>()
        let pipeline = try Pipeline(
            transport: Echo<Int> { input, _ in
                recorder.note(input)
                return input
            }
        ) { Adding(amount: 1) }

        let task = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return try await pipeline.run(1)
        }

        await #expect(throws: CancellationError.self) { try await task.value }
        expectTrue(recorder.entries.isEmpty)
    }

    @Test("returns an output that arrives at the moment of cancellation")
    func outputBeatsCancellation() async throws {
        let pipeline = try Pipeline(
            transport: Echo<Int> { input, _ in
                unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
                return input
            }
        ) { Adding(amount: 1) }

        let output = try await Task { try await pipeline.run(1) }.value

        expectEqual(output, 2)
    }
}
