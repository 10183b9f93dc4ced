import InterceptorKit

// The only place in which tests let real time pass: a limit for what may never come, and a look now and
// then at what nothing tells of. No test depends on how long either takes.

/// What was waited for did not come in time.
public struct WaitTimedOut: Error {
    /// How long it was waited for.
    public var limit: Duration
}

/// Does something that waits for an event, and cancels it if that does not come in time.
/// - Throws: ``WaitTimedOut`` after the limit, and what the operation throws.
public func within<Result: Sendable>(
    _ limit: Duration = .seconds(20),
    _ operation: @escaping @Sendable () async throws -> Result
) async throws -> Result {
    try await withThrowingTaskGroup(of: Result?.self) { group in
        group.addTask { try await operation() }
        group.addTask {
            try await Runtime.live.sleep(for: limit)
            return nil
        }
        defer { group.cancelAll() }
        guard let first = try await group.next(), let result = first else {
            throw WaitTimedOut(limit: limit)
        }
        return result
    }
}

/// Whether a condition holds now or within so many attempts, 10 ms apart. For what nothing tells of: the
/// end of a thread, or a file that an engine closes.
public func eventually(
    attempts: Int = 500,
    _ condition: () async throws -> Bool
) async rethrows -> Bool {
    for _ in 0..<attempts {
        if try await condition() { return true }
        try? await Runtime.live.sleep(for: .milliseconds(10))
    }
    return false
}
