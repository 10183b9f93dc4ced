import Expectations
import InterceptorKit
import InterceptorKitTesting
import Testing

@Suite struct VirtualClockTests {
    @Test("wakes the sleepers whose instant has come and no others")
    func advance() async throws {
        let clock = VirtualClock()
        let woken = Recorded<Int>()
        let tasks = [1, 2, 3].map { seconds in
            Task {
                try await clock.sleep(until: clock.now.advanced(by: .seconds(seconds)))
                woken.note(seconds)
            }
        }
        try await clock.waitForSleepers(3)

        clock.advance(by: .seconds(2))
        try await tasks[0].value
        try await tasks[1].value
        let early = woken.values
        clock.run()
        try await tasks[2].value

        expectEqual(Set(early), [1, 2])
        expectEqual(woken.values.count, 3)
        expectEqual(clock.now.offset, .seconds(3))
        expectEqual(clock.sleeperCount, 0)
    }

    @Test("a sleep returns at once when its instant is now or in the past")
    func past() async throws {
        let clock = VirtualClock()
        clock.advance(by: .seconds(5))

        try await clock.sleep(until: clock.now)
        try await clock.sleep(for: .seconds(-1))
        try await clock.sleep(until: Runtime.Instant(offset: .seconds(1)))

        expectEqual(clock.now.offset, .seconds(5))
    }

    @Test("a sleeper and a wait for sleepers end at once when cancelled")
    func cancellation() async throws {
        let clock = VirtualClock()
        let sleeper = Task { try await clock.sleep(for: .seconds(60)) }
        try await clock.waitForSleepers(1)
        let watcher = Task { try await clock.waitForSleepers(2) }

        sleeper.cancel()
        watcher.cancel()

        await #expect(throws: CancellationError.self) { try await sleeper.value }
        await #expect(throws: CancellationError.self) { try await watcher.value }
        expectEqual(clock.sleeperCount, 0)
    }
}
