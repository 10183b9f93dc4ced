import Expectations
import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitTesting
import Synchronization
import TestSupport
import Testing

@testable import InterceptorKitSharedState

@Suite("ExpiryQueue")
struct ExpiryQueueTests {
    /// A key that counts how often it is looked up.
    private struct CountedKey: Hashable {
        let number: Int
        let lookups: Recorder<Int>

        static func == (first: Self, second: Self) -> Bool { first.number == second.number }

        func hash(into hasher: inout Hasher) {
            lookups.note(number)
            hasher.combine(number)
        }
    }

    private let start = Runtime.live.now

    @Test("has first what ends first, after any changes and removals")
    func order() {
        var generator = SeededGenerator(seed: 7)
        var queue = ExpiryQueue<Int>()
        var model: [Int: Runtime.Instant] = [:]
        for _ in 0..<2000 {
            let key = Int.random(in: 0..<40, using: &generator)
            let isRemoval = Int.random(in: 0..<3, using: &generator) == 0
            let end = start.advanced(by: .seconds(Int.random(in: 0..<100, using: &generator)))
            queue[key] = isRemoval ? nil : end
            model[key] = isRemoval ? nil : end

            guard queue.first?.end == model.values.min(), queue.count == model.count,
                queue[key] == model[key]
            else { return expectTrue(false, "\(key) of \(model)") }
        }
    }

    @Test("finds, changes and removes one of many keys in few steps")
    func steps() {
        let lookups = Recorder<Int>()
        var queue = ExpiryQueue<CountedKey>()
        for number in 0..<4096 {
            queue[CountedKey(number: number, lookups: lookups)] = start.advanced(
                by: .seconds(number)
            )
        }
        let before = lookups.entries.count

        let first = queue.first?.key
        if let first { queue[first] = start.advanced(by: .seconds(9999)) }
        queue[CountedKey(number: 1, lookups: lookups)] = nil

        // Twice down a tree of 13 levels, with two keys moved on each.
        expectTrue(lookups.entries.count - before < 100, "\(lookups.entries.count - before)")
        expectEqual(queue.first?.key.number, 2)
    }
}
