import Expectations
import InterceptorKit
import InterceptorKitConcurrency
import TestSupport
import Testing

@Suite("WaiterQueue")
struct WaiterQueueTests {
    @Test("gives the last first too, without those who left")
    func reverse() {
        var queue = WaiterQueue<String>()
        let numbers = ["a", "b", "c", "d"].map { queue.join($0) }
        _ = queue.leave(numbers[3])

        expectEqual(queue.removeLast(), "c")
        expectEqual(queue.removeFirst(), "a")
        expectEqual(queue.removeLast(), "b")
        expectEqual(queue.removeLast(), nil)
        expectEqual(queue.removeFirst(), nil)
    }

    @Test("removes the waiters that match, and asks in order")
    func removal() {
        var queue = WaiterQueue<Int>()
        for number in 0..<10 { queue.join(number) }
        _ = queue.removeFirst()

        var asked: [Int] = []
        let removed = queue.removeAll { waiter in
            asked.append(waiter)
            return (2...4).contains(waiter)
        }

        expectEqual(asked, Array(1...9))
        expectEqual(removed, [2, 3, 4])
        expectEqual(queue.count, 6)
        expectEqual(queue.removeFirst(), 1)
        expectEqual(queue.removeFirst(), 5)
    }

    @Test("agrees with a plain list, no matter who joins and leaves")
    func model() {
        for seed in UInt64(0)..<200 {
            var random = SplitMix64(seed: seed)
            var queue = WaiterQueue<Int>()
            var model: [Int] = []
            for _ in 0..<300 {
                switch random.next() % 5 {
                case 0, 1:
                    let number = queue.draw()
                    queue.join(number, as: number)
                    model.append(number)
                case 2:
                    expectEqual(queue.removeFirst(), (model.isEmpty ? nil : model.removeFirst()))
                case 3 where random.next() % 8 == 0:
                    expectEqual(queue.removeAll(), model)
                    model = []
                default:
                    guard let gone = model.randomElement(using: &random) else { continue }
                    model.removeAll { $0 == gone }
                    expectEqual(queue.leave(gone), gone)
                }
                expectEqual(queue.count, model.count)
                expectEqual(queue.first, model.first)
            }
        }
    }
}
