import InterceptorKitConcurrency

/// Tasks in line: the most important first, and of equals the newest.
struct PriorityLine<Waiter> {
    private var lines = [WaiterQueue<Waiter>](
        repeating: WaiterQueue(),
        count: Criticality.allCases.count
    )
    private var lastNumber = 0

    var count: Int { lines.reduce(0) { $0 + $1.count } }
    var isEmpty: Bool { lines.allSatisfy(\.isEmpty) }

    /// The number by which a task leaves.
    mutating func draw() -> Int {
        lastNumber += 1
        return lastNumber
    }

    mutating func join(_ waiter: Waiter, as number: Int, _ criticality: Criticality) {
        lines[criticality.rawValue].join(waiter, as: number)
    }

    mutating func leave(_ number: Int) -> Waiter? {
        for index in lines.indices {
            if let waiter = lines[index].leave(number) { return waiter }
        }
        return nil
    }

    /// The next to go on.
    mutating func removeNewest() -> Waiter? {
        for index in lines.indices.reversed() {
            if let waiter = lines[index].removeLast() { return waiter }
        }
        return nil
    }

    /// The first to give way to a newcomer: the oldest of the least important.
    mutating func removeOldest(notAbove criticality: Criticality) -> Waiter? {
        for index in 0...criticality.rawValue {
            if let waiter = lines[index].removeFirst() { return waiter }
        }
        return nil
    }
}

extension PriorityLine: Sendable where Waiter: Sendable {}
