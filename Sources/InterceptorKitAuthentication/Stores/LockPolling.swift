package import InterceptorKit

/// Waits for a lock that other processes hold by polling, since nothing signals its release. No thread is blocked.
package struct LockPolling: Sendable {
    private let runtime: Runtime
    private let limit: Duration

    // The first pause is about as long as writing a file takes; the longest is hardly noticeable.
    private static let pauses = Backoff(
        base: .milliseconds(2),
        cap: .milliseconds(100),
        jitter: .equal
    )

    package init(runtime: Runtime, limit: Duration) {
        self.runtime = runtime
        self.limit = limit
    }

    /// Repeats an attempt until it returns a value.
    /// - Throws: ``CredentialStoreError`` after the time limit, `CancellationError` when cancelled.
    package nonisolated(nonsending) func first<Value>(
        _ attempt: nonisolated(nonsending) () async throws -> Value?
    ) async throws -> Value {
        let deadline = runtime.now.advanced(by: limit)
        var failures = 0
        while true {
            try Task.checkCancellation()
            if let value = try await attempt() { return value }
            failures += 1
            let pause = Self.pauses.delay(after: failures, fraction: runtime.randomFraction())
            let next = runtime.now.advanced(by: pause)
            guard next < deadline else { throw timedOut }
            try await runtime.sleep(until: next)
        }
    }

    private var timedOut: CredentialStoreError {
        CredentialStoreError(
            .lockTimedOut,
            "Another process or call held the store's lock for \(limit.formattedSeconds). Try again "
                + "later."
        )
    }
}
