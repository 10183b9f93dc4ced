import Expectations
import InterceptorKit
import Testing

@testable import InterceptorKitTesting

@Suite("TimerQueue")
struct TimerQueueTests {
    private func second(_ number: Int) -> Runtime.Instant {
        Runtime.Instant(offset: .seconds(number))
    }

    /// Lends a queue of timers that were set in this order.
    private func withQueue(
        of seconds: [Int],
        _ body: (inout TimerQueue) -> Void
    ) async throws {
        // All have one continuation, as nothing here resumes them.
        try await withCheckedThrowingContinuation { continuation in
            var queue = TimerQueue()
            for instant in seconds.map(second) {
                queue.insert(
                    TimerQueue.Timer(
                        instant: instant,
                        number: queue.nextNumber(),
                        owner: .current,
                        task: 0,
                        continuation: continuation
                    )
                )
            }
            body(&queue)
            continuation.resume()
        }
    }

    @Test("takes timers in order of time, at one instant as they were set")
    func order() async throws {
        try await withQueue(of: [3, 1, 2, 1, 3]) { queue in
            var taken: [UInt64] = []
            while let timer = queue.takeNext(until: second(9)) { taken.append(timer.number) }

            expectEqual(taken, [2, 4, 3, 1, 5])
            expectEqual(queue.now, second(3))
        }
    }

    @Test("takes none that is later than told, and never goes back")
    func bounded() async throws {
        try await withQueue(of: [2, 5]) { queue in
            expectTrue(queue.takeNext(until: second(1)) == nil)
            expectEqual(queue.now, second(0))
            queue.advance(to: second(4))
            queue.advance(to: second(3))
            let late = queue.takeNext(until: second(2))
            expectEqual(late?.number, 1)
            expectEqual(queue.now, second(4))
            expectEqual(queue.timers.count, 1)
        }
    }

    @Test("removes the one timer that is meant, among those of one instant")
    func removes() async throws {
        try await withQueue(of: [1, 1, 1]) { queue in
            expectEqual(queue.remove((second(1), 2))?.number, 2)
            expectTrue(queue.remove((second(1), 2)) == nil)
            expectEqual(queue.timers.map(\.number), [3, 1])
        }
    }

    @Test("counts and takes from any position what is due, and nothing else")
    func due() async throws {
        try await withQueue(of: [1, 1, 2]) { queue in
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
}
