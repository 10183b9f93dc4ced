import Expectations
import InterceptorKit
import InterceptorKitTesting
import Testing

@Suite("A sleep in real time")
struct SimulationExecutorRealSleepTests {
    @Test("ends the run and names the task", arguments: [true, false])
    func realSleep(detached: Bool) throws {
        let error = #expect(throws: SimulationError.self) {
            try Simulation.run { simulation in
                if detached {
                    try await Task.detached { try await realPause() }.value
                } else {
                    await simulation.runtime.start("poll") { try? await realPause() }.value
                }
            }
        }

        #if os(Linux) && compiler(>=6.3) && compiler(<6.4)
        expectEqual(error?.code, .realSleep)
        expectEqual(
            error?.message.hasPrefix(detached ? "task 2 (of 1) sleeps" : "task 2 \"poll\" sleeps"),
            true
        )
        #else
        expectEqual(error?.code, .deadlock)
        #endif
    }
}

private func realPause() async throws { try await ContinuousClock().sleep(for: .seconds(3_600)) }
