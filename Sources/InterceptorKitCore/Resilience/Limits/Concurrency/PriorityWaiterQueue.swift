import InterceptorKitConcurrency

/// A queue of tasks: the most important first, and the newest first among equals.
struct PriorityWaiterQueue<Waiter> {
    private var queues = [WaiterQueue<Waiter>](
        repeating: WaiterQueue(),
        count: Criticality.allCases.count
    )
    private var lastNumber = 0

    // Kept, because each attempt asks, and the path of a generic type's property is made anew each time.
    private(set) var count = 0
    var isEmpty: Bool { count == 0 }

    /// Returns the number with which a task joins and leaves.
    mutating func draw() -> Int {
        lastNumber += 1
        return lastNumber
    }

    mutating func join(_ waiter: Waiter, as number: Int, _ criticality: Criticality) {
        queues[criticality.rawValue].join(waiter, as: number)
        count += 1
    }

    mutating func leave(_ number: Int) -> Waiter? {
        for index in queues.indices {
            if let waiter = queues[index].leave(number) { return removed(waiter) }
        }
        return nil
    }

    /// Removes the task that goes on next.
    mutating func removeNewest() -> Waiter? {
        for index in queues.indices.reversed() {
            if let waiter = queues[index].removeLast() { return removed(waiter) }
        }
        return nil
    }

    /// Removes the task that gives way to a new one: the oldest of the least important.
    mutating func removeOldest(notAbove criticality: Criticality) -> Waiter? {
        for index in 0...criticality.rawValue {
            if let waiter = queues[index].removeFirst() { return removed(waiter) }
        }
        return nil
    }

    private mutating func removed(_ waiter: Waiter) -> Waiter {
        count -= 1
        return waiter
    }
}

extension PriorityWaiterQueue: Sendable where Waiter: Sendable {}
