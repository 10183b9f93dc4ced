import Expectations
import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitTesting
import Synchronization
import TestSupport
import Testing

@testable import InterceptorKitCore

@Suite("DeadlineTimer")
struct DeadlineTimerTests {
    @Test("fires at its instant and not before")
    func rings() async throws {
        try await onEverySeed(0..<50) { simulation in
            let rung = Recorder<Runtime.Instant>()
            let runtime = simulation.runtime
            let timer = runtime.timer(at: .init(offset: .seconds(3)), "test") {
                rung.note(runtime.now)
            }

            try await runtime.sleep(for: .seconds(10))
            timer.cancel()

            expectEqual(rung.entries, [Runtime.Instant(offset: .seconds(3))])
        }
    }

    @Test("doesn't fire after it was cancelled")
    func cancel() async throws {
        try await onEverySeed(0..<50) { simulation in
            let rung = Recorder<Int>()
            let runtime = simulation.runtime
            let timer = runtime.timer(at: .init(offset: .seconds(3)), "test") { rung.note(1) }

            try await runtime.sleep(for: .seconds(2))
            timer.cancel()
            try await runtime.sleep(for: .seconds(10))

            expectTrue(rung.entries.isEmpty)
        }
    }

    @Test("shares one sleeper with others, and each fires at its own instant")
    func shared() async throws {
        try await onEverySeed(0..<100) { simulation in
            let runtime = simulation.runtime.sharingTimers()
            let rung = Recorder<Int>()
            let order = [5, 2, 9, 2, 7, 1]
            let timers = order.map { second in
                runtime.timer(at: .init(offset: .seconds(second)), "test") {
                    expectEqual(runtime.now.offset, .seconds(second))
                    rung.note(second)
                }
            }

            timers[4].cancel()
            try await runtime.sleep(for: .seconds(20))

            expectEqual(rung.entries, [1, 2, 2, 5, 9])
        }
    }

    @Test("fires first if set last, among those due when the sleeper wakes late")
    func late() async {
        let time = Lock(Runtime.Instant(offset: .zero))
        let (wakings, wake) = AsyncStream.makeStream(of: Void.self)
        let (rings, rung) = AsyncStream.makeStream(of: String.self)
        let clock = TimerQueue(now: { time.withLock { $0 } }) { _ in
            var iterator = wakings.makeAsyncIterator()
            await iterator.next()
        }
        clock.set(ActionTimer(queue: clock) { rung.yield("outer") }, at: .init(offset: .seconds(1)))
        clock.set(ActionTimer(queue: clock) { rung.yield("inner") }, at: .init(offset: .seconds(2)))

        time.withLock { $0 = .init(offset: .seconds(5)) }
        for _ in 0..<2 { wake.yield() }

        var order: [String] = []
        for await name in rings.prefix(2) { order.append(name) }
        expectEqual(order, ["inner", "outer"])
    }

    @Test("fires at once if its instant has passed")
    func past() async throws {
        try await onEverySeed(0..<20) { simulation in
            let runtime = simulation.runtime.sharingTimers()
            let rung = Recorder<Int>()
            let timer = runtime.timer(at: .init(offset: .zero), "test") { rung.note(1) }

            try await runtime.sleep(for: .milliseconds(1))
            timer.cancel()

            expectEqual(rung.entries, [1])
        }
    }

    @Test("takes neither the priority nor the task-local values of who set it")
    func own() async {
        let (wakings, wake) = AsyncStream.makeStream(of: (TaskPriority, String?).self)
        let clock = TimerQueue(now: { Runtime.Instant(offset: .zero) }) { _ in
            wake.yield((Task.currentPriority, Caller.name))
        }

        await Caller.$name.withValue("first") {
            await Task(priority: .background) {
                clock.set(ActionTimer(queue: clock) {}, at: .init(offset: .zero))
            }.value
        }

        for await (priority, name) in wakings.prefix(1) {
            expectEqual(priority, .high)
            expectEqual(name, nil)
        }
    }

    @Test("fires in real time")
    func live() async throws {
        let runtime = Runtime.live
        let start = runtime.now

        let end = await withCheckedContinuation { continuation in
            _ = runtime.timer(at: start.advanced(by: .milliseconds(20)), "test") {
                continuation.resume(returning: runtime.now)
            }
        }

        expectTrue(start.duration(to: end) >= .milliseconds(20))
    }
}

private enum Caller {
    @TaskLocal static var name: String?
}
