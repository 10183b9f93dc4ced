/// A call that waits for a credential. The code that takes it out of the list, and only that, resumes it.
struct RefreshWaiter {
    private let continuation: CheckedContinuation<CredentialState.Cached, any Error>
    /// The operation whose end, or that of a later one, it waits for.
    var operation = 0
    var timeLimit: DeadlineTimer?

    init(_ continuation: CheckedContinuation<CredentialState.Cached, any Error>) {
        self.continuation = continuation
    }

    func resume(with result: Result<CredentialState.Cached, any Error>) {
        timeLimit?.cancel()
        continuation.resume(with: result)
    }
}

/// All calls that wait for a credential.
struct RefreshWaiters {
    private var waiters: [Int: RefreshWaiter] = [:]
    private var lastID = 0

    mutating func nextID() -> Int {
        lastID += 1
        return lastID
    }

    subscript(id: Int) -> RefreshWaiter? {
        get { waiters[id] }
        set { waiters[id] = newValue }
    }

    mutating func takeAll() -> [RefreshWaiter] { take { _ in true } }

    /// Takes the tasks that wait for this operation, or for an earlier one.
    mutating func take(upTo operation: Int) -> [RefreshWaiter] {
        take { $0.operation <= operation }
    }

    private mutating func take(_ isTaken: (RefreshWaiter) -> Bool) -> [RefreshWaiter] {
        let taken = waiters.filter { isTaken($0.value) }
        for id in taken.keys { waiters[id] = nil }
        // In the order they came, which a dictionary does not keep.
        return taken.sorted { $0.key < $1.key }.map(\.value)
    }
}

/// The caches whose refresh the current task is part of, so that its own requests pass them bare.
enum RefreshScope {
    @TaskLocal static var caches: [ObjectIdentifier] = []
}
