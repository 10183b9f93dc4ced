import Expectations
import Foundation
import Testing

@testable import InterceptorKitTesting

@Suite("SimulationThread")
struct SimulationThreadTests {
    private struct Refusal: Error {}

    @Test("knows the innermost simulation, also after an error in another")
    func nests() throws {
        let outer = SimulationExecutor()
        let inner = SimulationExecutor()

        let before = SimulationThread.executor
        SimulationThread.run(outer) {
            expectTrue(SimulationThread.executor === outer)
            #expect(throws: Refusal.self) {
                try SimulationThread.run(inner) {
                    expectTrue(SimulationThread.executor === inner)
                    throw Refusal()
                }
            }
            expectTrue(SimulationThread.executor === outer)
        }

        expectTrue(before == nil)
        expectTrue(SimulationThread.executor == nil)
    }

    @Test("knows of no other thread's simulation")
    func threads() async {
        let seen = await withCheckedContinuation { continuation in
            SimulationThread.run(SimulationExecutor()) {
                let thread = Thread {
                    continuation.resume(returning: SimulationThread.executor == nil)
                }
                thread.start()
            }
        }

        expectTrue(seen)
    }
}
