import InterceptorKitConcurrency

/// A queue of tasks: the most important first, and the newest first among equals.
struct PriorityWaiterQueue<Waiter> {
    private var queues = [WaiterQueue<Waiter>](
        repeating: WaiterQueue(),
        count: Criticality.allCases.count
    )
    private var lastNumber = 0

    var count: Int { queues.reduce(0) { $0 + $1.count } }
    var isEmpty: Bool { queues.allSatisfy(\.isEmpty) }

    /// Returns the number with which a task joins and leaves.
    mutating func draw() -> Int {
        lastNumber += 1
        return lastNumber
    }

    mutating func join(_ waiter: Waiter, as number: Int, _ criticality: Criticality) {
        queues[criticality.rawValue].join(waiter, as: number)
    }

    mutating func leave(_ number: Int) -> Waiter? {
        for index in queues.indices {
            if let waiter = queues[index].leave(number) { return waiter }
        }
        return nil
    }

    /// Removes the task that goes on next.
    mutating func removeNewest() -> Waiter? {
        for index in queues.indices.reversed() {
            if let waiter = queues[index].removeLast() { return waiter }
        }
        return nil
    }

    /// Removes the task that gives way to a new one: the oldest of the least important.
    mutating func removeOldest(notAbove criticality: Criticality) -> Waiter? {
        for index in 0...criticality.rawValue {
            if let waiter = queues[index].removeFirst() { return waiter }
        }
        return nil
    }
}

extension PriorityWaiterQueue: Sendable where Waiter: Sendable {}
