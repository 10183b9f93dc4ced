/// The waiting tasks, in order of arrival. A task can leave from any place.
///
/// Joining, leaving and removing take constant time on average.
package struct WaiterQueue<Element> {
    private var waiters: [Int: Element] = [:]
    // The numbers in order, including those of tasks that left, until the next sweep.
    private var order: [Int] = []
    private var head = 0
    private var lastNumber = 0

    package init() {}

    package var count: Int { waiters.count }
    package var isEmpty: Bool { waiters.isEmpty }

    /// Adds a waiter at the end.
    /// - Returns: The number with which the task leaves.
    @discardableResult
    package mutating func join(_ waiter: Element) -> Int {
        let number = draw()
        join(waiter, as: number)
        return number
    }

    /// Returns a number for a task that joins later.
    package mutating func draw() -> Int {
        lastNumber += 1
        return lastNumber
    }

    /// Adds a waiter at the end, with a number that no other waiter has.
    package mutating func join(_ waiter: Element, as number: Int) {
        if order.count >= 2 * waiters.count + 16 {
            order = order[head...].filter { waiters[$0] != nil }
            head = 0
        }
        waiters[number] = waiter
        order.append(number)
    }

    /// The waiter that ``removeFirst()`` removes next.
    package var first: Element? {
        mutating get {
            while head < order.count {
                if let waiter = waiters[order[head]] { return waiter }
                head += 1
            }
            return nil
        }
    }

    package mutating func leave(_ number: Int) -> Element? { waiters.removeValue(forKey: number) }

    package mutating func removeFirst() -> Element? {
        while head < order.count {
            let number = order[head]
            head += 1
            if let waiter = waiters.removeValue(forKey: number) { return waiter }
        }
        return nil
    }

    package mutating func removeLast() -> Element? {
        while order.count > head, let number = order.popLast() {
            if let waiter = waiters.removeValue(forKey: number) { return waiter }
        }
        return nil
    }

    /// Removes the waiters that meet a condition, which is asked about each in order.
    package mutating func removeAll(where shouldRemove: (_ waiter: Element) -> Bool) -> [Element] {
        var removed: [Element] = []
        for number in order[head...] {
            guard let waiter = waiters[number], shouldRemove(waiter) else { continue }
            removed.append(waiter)
            waiters[number] = nil
        }
        return removed
    }

    package mutating func removeAll() -> [Element] {
        defer {
            waiters = [:]
            order = []
            head = 0
        }
        return order[head...].compactMap { waiters[$0] }
    }
}

extension WaiterQueue: Sendable where Element: Sendable {}
