import Expectations
import InterceptorKit
import InterceptorKitConcurrency
import TestSupport
import Testing

@Suite("WaiterQueue")
struct WaiterQueueTests {
    @Test("gives the last first too, without those who left")
    func reverse() {
        var line = WaiterQueue<String>()
        let numbers = ["a", "b", "c", "d"].map { line.join($0) }
        _ = line.leave(numbers[3])

        expectEqual(line.removeLast(), "c")
        expectEqual(line.removeFirst(), "a")
        expectEqual(line.removeLast(), "b")
        expectEqual(line.removeLast(), nil)
        expectEqual(line.removeFirst(), nil)
    }

    @Test("removes the waiters that match, by their position")
    func removal() {
        var line = WaiterQueue<Int>()
        for number in 0..<10 { line.join(number) }
        _ = line.removeFirst()

        let removed = line.removeAll { place, waiter in place == 2 && waiter < 5 }

        expectEqual(removed, [2, 3, 4])
        expectEqual(line.count, 6)
        expectEqual(line.removeFirst(), 1)
        expectEqual(line.removeFirst(), 5)
    }

    @Test("agrees with a plain list, no matter who joins and leaves")
    func model() {
        for seed in UInt64(0)..<200 {
            var random = SplitMix64(seed: seed)
            var line = WaiterQueue<Int>()
            var model: [Int] = []
            for _ in 0..<300 {
                switch random.next() % 5 {
                case 0, 1:
                    let number = line.draw()
                    line.join(number, as: number)
                    model.append(number)
                case 2:
                    expectEqual(line.removeFirst(), (model.isEmpty ? nil : model.removeFirst()))
                case 3 where random.next() % 8 == 0:
                    expectEqual(line.removeAll(), model)
                    model = []
                default:
                    guard let gone = model.randomElement(using: &random) else { continue }
                    model.removeAll { $0 == gone }
                    expectEqual(line.leave(gone), gone)
                }
                expectEqual(line.count, model.count)
            }
        }
    }
}
