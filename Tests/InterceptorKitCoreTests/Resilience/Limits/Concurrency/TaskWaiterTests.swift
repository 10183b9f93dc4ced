import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@testable import InterceptorKitCore

@Suite("TaskWaiter")
struct TaskWaiterTests {
    @Test("goes on once, by what came first")
    func first() async throws {
        let admitted = TaskWaiter()
        try await admitted.wait {
            admitted.resume()
            admitted.resume(with: .failure(Problem()))
        }

        let refused = TaskWaiter()
        await #expect(throws: Problem()) {
            try await refused.wait {
                refused.resume(with: .failure(Problem()))
                refused.resume()
            }
        }
    }

    @Test("leaves no timer behind, whether it was set before or after the end")
    func timers() async throws {
        let rung = try await onEverySeed(0..<20) { simulation in
            let rung = Recorder<String>()
            let runtime = simulation.runtime
            func timer(_ name: String) -> DeadlineTimer {
                runtime.timer(at: .init(offset: .seconds(5)), name) { rung.note(name) }
            }
            let task = TaskWaiter()
            try await task.wait {
                task.limit(by: timer("before"))
                task.resume()
                task.limit(by: timer("after"))
            }
            let waiting = TaskWaiter()
            waiting.limit(by: timer("of one that waits"))
            try await runtime.sleep(for: .seconds(10))
            return rung.entries
        }

        expectEqual(rung, ["of one that waits"])
    }
}
