import Expectations
import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitTesting
import InterceptorKitTestingTraits
import Synchronization
import Testing

@Suite struct LeakDetectionTests {
    @Test("a test that leaks nothing passes", .detectsLeaks)
    func clean() async throws {
        let clock = VirtualClock()
        let gate = Gate("orders")
        async let sleeper: Void = clock.sleep(until: clock.now.advanced(by: .seconds(1)))
        async let passer: Void = gate.pass()
        try await clock.waitForSleepers(1)
        try await gate.waitForArrivals(1)
        clock.run()
        gate.open()

        _ = try await (sleeper, passer)
    }

    @Test("a task that sleeps or is held after a test is an issue of that test")
    func dirty() async throws {
        let held = Lock<(clock: VirtualClock, gate: Gate)?>(nil)
        let test = try unwrap(Test.current)
        let tasks = Lock<[Task<Void, any Error>]>([])

        try await withKnownIssue {
            try await LeakDetectionTrait.detectsLeaks.provideScope(
                for: test,
                testCase: nil
            ) {
                let clock = VirtualClock()
                let gate = Gate("orders")
                held.withLock { $0 = (clock, gate) }
                let sleeper = Task {
                    try await clock.sleep(until: clock.now.advanced(by: .seconds(1)))
                }
                let passer = Task { try await gate.pass() }
                tasks.withLock { $0 = [sleeper, passer] }
                try await clock.waitForSleepers(1)
                try await gate.waitForArrivals(1)
            }
        } matching: { issue in
            guard let error = issue.error as? TestKitError else { return false }
            return error.leaks == [
                "an unnamed task sleeps until 1 s", "1 held at the gate \"orders\"",
            ]
        }

        for task in tasks.withLock({ $0 }) { task.cancel() }
        for task in tasks.withLock({ $0 }) { _ = await task.result }
        expectEqual(held.withLock { $0.map { $0.gate.held + $0.clock.sleeperCount } }, 0)
    }
}
