import Expectations
import InterceptorKit
import Testing

@testable import InterceptorKitCore

@Suite("PriorityWaiterQueue")
struct PriorityWaiterQueueTests {
    @Test("serves the most important first, and of equals the newest")
    func order() {
        var queue = PriorityWaiterQueue<String>()
        queue.join("old", .normal)
        queue.join("least", .sheddable)
        queue.join("new", .normal)
        queue.join("most", .critical)

        expectEqual(queue.count, 4)
        expectEqual(queue.served(), ["most", "new", "old", "least"])
        expectTrue(queue.isEmpty)
    }

    @Test("sheds the oldest of the least important, and none above the newcomer")
    func shedding() {
        var queue = PriorityWaiterQueue<String>()
        queue.join("critical", .critical)
        queue.join("old", .normal)
        queue.join("new", .normal)
        queue.join("sheddable", .sheddable)

        expectEqual(queue.removeOldest(notAbove: .critical), "sheddable")
        expectEqual(queue.removeOldest(notAbove: .sheddable), nil)
        expectEqual(queue.removeOldest(notAbove: .normal), "old")
        expectEqual(queue.removeOldest(notAbove: .normal), "new")
        expectEqual(queue.removeOldest(notAbove: .normal), nil)
        expectEqual(queue.removeOldest(notAbove: .critical), "critical")
    }

    @Test("lets each leave once, whatever its class")
    func leaving() {
        var queue = PriorityWaiterQueue<String>()
        let first = queue.join("first", .critical)
        let second = queue.join("second", .sheddable)

        expectEqual(queue.leave(second), "second")
        expectEqual(queue.leave(second), nil)
        expectEqual(queue.leave(first), "first")
        expectEqual(queue.removeNewest(), nil)
    }
}

extension PriorityWaiterQueue {
    @discardableResult
    fileprivate mutating func join(_ waiter: Waiter, _ criticality: Criticality) -> Int {
        let number = draw()
        join(waiter, as: number, criticality)
        return number
    }

    fileprivate mutating func served() -> [Waiter] {
        var served: [Waiter] = []
        while let next = removeNewest() { served.append(next) }
        return served
    }
}
