/// One call that waits for a credential. Whoever takes it out of the list, and only they, resumes it.
struct RenewalWaiter {
    private let continuation: CheckedContinuation<Renewal.Held, any Error>
    /// The job whose end, or that of a later one, it waits for.
    var job = 0
    var timeLimit: DeadlineTimer?

    init(_ continuation: CheckedContinuation<Renewal.Held, any Error>) {
        self.continuation = continuation
    }

    func resume(with result: Result<Renewal.Held, any Error>) {
        timeLimit?.cancel()
        continuation.resume(with: result)
    }
}

/// All who wait for a credential.
struct RenewalWaiters {
    private var waiters: [Int: RenewalWaiter] = [:]
    private var lastID = 0

    mutating func nextID() -> Int {
        lastID += 1
        return lastID
    }

    subscript(id: Int) -> RenewalWaiter? {
        get { waiters[id] }
        set { waiters[id] = newValue }
    }

    mutating func takeAll() -> [RenewalWaiter] { take { _ in true } }

    /// Takes those who wait for this job, or for an earlier one.
    mutating func take(upTo job: Int) -> [RenewalWaiter] { take { $0.job <= job } }

    private mutating func take(_ isTaken: (RenewalWaiter) -> Bool) -> [RenewalWaiter] {
        let taken = waiters.filter { isTaken($0.value) }
        for id in taken.keys { waiters[id] = nil }
        // In the order they came, which a dictionary does not keep.
        return taken.sorted { $0.key < $1.key }.map(\.value)
    }
}

/// The vaults whose renewal the current task is part of, so that its own requests pass them bare.
enum RenewalScope {
    @TaskLocal static var vaults: [ObjectIdentifier] = []
}
