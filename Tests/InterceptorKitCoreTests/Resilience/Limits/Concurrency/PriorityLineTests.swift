import Expectations
import InterceptorKit
import Testing

@testable import InterceptorKitCore

@Suite("PriorityLine")
struct PriorityLineTests {
    @Test("serves the most important first, and of equals the newest")
    func order() {
        var line = PriorityLine<String>()
        line.join("old", .normal)
        line.join("least", .sheddable)
        line.join("new", .normal)
        line.join("most", .critical)

        expectEqual(line.count, 4)
        expectEqual(line.served(), ["most", "new", "old", "least"])
        expectTrue(line.isEmpty)
    }

    @Test("sheds the oldest of the least important, and none above the newcomer")
    func shedding() {
        var line = PriorityLine<String>()
        line.join("critical", .critical)
        line.join("old", .normal)
        line.join("new", .normal)
        line.join("sheddable", .sheddable)

        expectEqual(line.removeOldest(notAbove: .critical), "sheddable")
        expectEqual(line.removeOldest(notAbove: .sheddable), nil)
        expectEqual(line.removeOldest(notAbove: .normal), "old")
        expectEqual(line.removeOldest(notAbove: .normal), "new")
        expectEqual(line.removeOldest(notAbove: .normal), nil)
        expectEqual(line.removeOldest(notAbove: .critical), "critical")
    }

    @Test("lets each leave once, whatever its class")
    func leaving() {
        var line = PriorityLine<String>()
        let first = line.join("first", .critical)
        let second = line.join("second", .sheddable)

        expectEqual(line.leave(second), "second")
        expectEqual(line.leave(second), nil)
        expectEqual(line.leave(first), "first")
        expectEqual(line.removeNewest(), nil)
    }
}

extension PriorityLine {
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
