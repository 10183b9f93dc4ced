import Expectations
import InterceptorKit
import InterceptorKitConcurrency
import Testing

@testable import InterceptorKitTesting

@Suite("TimerQueue")
struct TimerQueueTests {
    private func second(_ number: Int) -> Runtime.Instant {
        Runtime.Instant(offset: .seconds(number))
    }

    /// A queue of timers that were set in this order.
    private func queue(of seconds: [Int]) -> TimerQueue {
        var queue = TimerQueue()
        for instant in seconds.map(second) {
            queue.insert(
                TimerQueue.Timer(
                    instant: instant,
                    number: queue.nextNumber(),
                    owner: .current,
                    task: 0,
                    sleeper: Waiter()
                )
            )
        }
        return queue
    }

    @Test("takes timers in order of time, at one instant as they were set")
    func order() {
        var queue = self.queue(of: [3, 1, 2, 1, 3])
        var taken: [UInt64] = []
        while let timer = queue.takeNext(until: second(9)) { taken.append(timer.number) }

        expectEqual(taken, [2, 4, 3, 1, 5])
        expectEqual(queue.now, second(3))
    }

    @Test("takes none that is later than told, and never goes back")
    func bounded() {
        var queue = self.queue(of: [2, 5])
        expectTrue(queue.takeNext(until: second(1)) == nil)
        expectEqual(queue.now, second(0))
        queue.advance(to: second(4))
        queue.advance(to: second(3))
        let late = queue.takeNext(until: second(2))
        expectEqual(late?.number, 1)
        expectEqual(queue.now, second(4))
        expectEqual(queue.timers.count, 1)
    }

    @Test("removes the one timer that is meant, among those of one instant")
    func removes() {
        var queue = self.queue(of: [1, 1, 1])
        expectEqual(queue.remove((second(1), 2))?.number, 2)
        expectTrue(queue.remove((second(1), 2)) == nil)
        expectEqual(queue.timers.map(\.number), [3, 1])
    }

    @Test("counts and takes from any position what is due, and nothing else")
    func due() {
        var queue = self.queue(of: [1, 1, 2])
        expectEqual(queue.dueCount, 0)
        queue.advance(to: second(1))
        expectEqual(queue.dueCount, 2)
        expectTrue(queue.takeDue(at: 2) == nil)
        expectEqual(queue.takeDue(at: 1)?.number, 2)
        expectEqual(queue.takeDue(at: 0)?.number, 1)
        expectTrue(queue.takeDue(at: 0) == nil)
        expectTrue(queue.takeDue(at: 1) == nil)
    }
}
