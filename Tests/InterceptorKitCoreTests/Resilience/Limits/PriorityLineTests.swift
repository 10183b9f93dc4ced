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

        #expect(line.count == 4)
        #expect(line.served() == ["most", "new", "old", "least"])
        #expect(line.isEmpty)
    }

    @Test("sheds the oldest of the least important, and none above the newcomer")
    func shedding() {
        var line = PriorityLine<String>()
        line.join("critical", .critical)
        line.join("old", .normal)
        line.join("new", .normal)
        line.join("sheddable", .sheddable)

        #expect(line.removeOldest(notAbove: .critical) == "sheddable")
        #expect(line.removeOldest(notAbove: .sheddable) == nil)
        #expect(line.removeOldest(notAbove: .normal) == "old")
        #expect(line.removeOldest(notAbove: .normal) == "new")
        #expect(line.removeOldest(notAbove: .normal) == nil)
        #expect(line.removeOldest(notAbove: .critical) == "critical")
    }

    @Test("lets each leave once, whatever its class")
    func leaving() {
        var line = PriorityLine<String>()
        let first = line.join("first", .critical)
        let second = line.join("second", .sheddable)

        #expect(line.leave(second) == "second")
        #expect(line.leave(second) == nil)
        #expect(line.leave(first) == "first")
        #expect(line.removeNewest() == nil)
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
