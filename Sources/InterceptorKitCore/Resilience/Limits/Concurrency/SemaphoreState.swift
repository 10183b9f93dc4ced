import InterceptorKitConcurrency

/// The limit, the calls under way and the waiters: a value that decides.
struct SemaphoreState<Waiter> {
    enum Entry: Sendable, Hashable {
        /// A permit is taken.
        case entered
        /// No permit is free, but there is room to wait.
        case mustWait
        /// No permit is free, and the queue is full.
        case refused
    }

    let limit: Int
    let queueLimit: Int
    private(set) var inUse = 0
    private(set) var line = WaiterQueue<Waiter>()

    init(limit: Int, queueLimit: Int) {
        self.limit = limit
        self.queueLimit = queueLimit
    }

    /// Takes a permit if there is one; waiters come first.
    mutating func enter() -> Entry {
        guard inUse < limit, line.isEmpty else {
            return line.count < queueLimit ? .mustWait : .refused
        }
        take()
        return .entered
    }

    mutating func draw() -> Int { line.draw() }

    /// Waits in line, unless there is a permit by now or no room to wait any more.
    mutating func join(_ waiter: Waiter, as number: Int) -> Entry {
        let entry = enter()
        if entry == .mustWait { line.join(waiter, as: number) }
        return entry
    }

    mutating func leave(_ number: Int) -> Waiter? { line.leave(number) }

    /// Gives a permit back; a waiter that gets it holds it already.
    mutating func giveBack() -> Waiter? {
        inUse -= 1
        return next()
    }

    private mutating func next() -> Waiter? {
        guard inUse < limit, let waiter = line.removeFirst() else { return nil }
        take()
        return waiter
    }

    private mutating func take() {
        inUse += 1
    }
}

extension SemaphoreState: Sendable where Waiter: Sendable {}
