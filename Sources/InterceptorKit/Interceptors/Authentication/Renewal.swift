/// A renewal under way and those who wait for it.
struct Renewal {
    let id: Int
    var waiters: [Int: RenewalWaiter]

    mutating func takeWaiters() -> [RenewalWaiter] {
        defer { waiters = [:] }
        // In the order they came, which a dictionary does not keep.
        return waiters.sorted { $0.key < $1.key }.map(\.value)
    }
}

/// One call that waits. Whoever takes it out of the renewal's list, and only they, resumes it.
struct RenewalWaiter {
    private let continuation: CheckedContinuation<CredentialVault.Held, any Error>
    var timer: Task<Void, Never>?

    init(_ continuation: CheckedContinuation<CredentialVault.Held, any Error>) {
        self.continuation = continuation
    }

    func resume(with result: Result<CredentialVault.Held, any Error>) {
        timer?.cancel()
        continuation.resume(with: result)
    }
}

/// Keeps a renewal that failed from being tried again at once: one second, doubling to sixty.
struct RenewalBackoff {
    private let lastError: any Error
    private let failures: Int
    private let end: Runtime.Instant

    init(after previous: RenewalBackoff?, _ error: any Error, at now: Runtime.Instant) {
        lastError = error
        failures = (previous?.failures ?? 0) + 1
        let rule = Backoff(base: .seconds(1), cap: .seconds(60), jitter: .none)
        end = now.advanced(by: rule.delay(after: failures, fraction: 1))
    }

    func error(at now: Runtime.Instant) -> (any Error)? { now < end ? lastError : nil }
}

/// The vaults whose renewal the current task is part of, so that its own requests pass them bare.
enum RenewalScope {
    @TaskLocal static var vaults: [ObjectIdentifier] = []
}
