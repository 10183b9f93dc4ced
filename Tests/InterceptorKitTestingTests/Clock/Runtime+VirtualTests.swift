import Expectations
import Foundation
import InterceptorKit
import InterceptorKitTesting
import Testing

@Suite("Runtime.virtual")
struct RuntimeVirtualTests {
    @Test("drives a runtime with seeded randomness, without a simulation")
    func runtime() async throws {
        let clock = VirtualClock()
        let runtime = Runtime.virtual(clock: clock, seed: 3)
        let task = runtime.start("reminder") { try? await runtime.sleep(for: .seconds(3_600)) }
        try await clock.waitForSleepers(1)

        clock.advance(by: .seconds(3_600))
        await task.value

        expectEqual(runtime.date.timeIntervalSince(Simulation.startDate), 3_600)
        expectEqual(runtime.random(), Runtime.virtual(clock: clock, seed: 3).random())
        expectTrue(runtime.random() != Runtime.virtual(clock: clock, seed: 4).random())
        expectTrue(runtime.identifier() != runtime.identifier())
    }
}
