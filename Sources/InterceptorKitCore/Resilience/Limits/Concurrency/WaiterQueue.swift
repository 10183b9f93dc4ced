/// The tasks that wait, in order; a task that gives up leaves from its place.
///
/// To join, to leave and to be served take the same time on average however long the line is.
struct WaiterQueue<Waiter> {
    private var waiters: [Int: Waiter] = [:]
    // Numbers in order, including those of tasks that left, until they are swept.
    private var order: [Int] = []
    private var head = 0
    private var lastNumber = 0

    var count: Int { waiters.count }
    var isEmpty: Bool { waiters.isEmpty }

    /// A number for the next task to join.
    mutating func draw() -> Int {
        lastNumber += 1
        return lastNumber
    }

    mutating func join(_ waiter: Waiter, as number: Int) {
        if order.count >= 2 * waiters.count + 16 {
            order = order[head...].filter { waiters[$0] != nil }
            head = 0
        }
        waiters[number] = waiter
        order.append(number)
    }

    mutating func leave(_ number: Int) -> Waiter? { waiters.removeValue(forKey: number) }

    mutating func removeFirst() -> Waiter? {
        while head < order.count {
            let number = order[head]
            head += 1
            if let waiter = waiters.removeValue(forKey: number) { return waiter }
        }
        return nil
    }

    mutating func removeLast() -> Waiter? {
        while order.count > head, let number = order.popLast() {
            if let waiter = waiters.removeValue(forKey: number) { return waiter }
        }
        return nil
    }

    /// Removes the waiters that meet a condition, given their places from 1 among those that stay.
    mutating func removeAll(where isGone: (_ place: Int, _ waiter: Waiter) -> Bool) -> [Waiter] {
        var removed: [Waiter] = []
        var place = 1
        for number in order[head...] {
            guard let waiter = waiters[number] else { continue }
            if isGone(place, waiter) {
                removed.append(waiter)
                waiters[number] = nil
            } else {
                place += 1
            }
        }
        return removed
    }
}

extension WaiterQueue: Sendable where Waiter: Sendable {}
