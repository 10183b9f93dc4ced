import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

/// Counts how much goes on at once.
final class Load: Sendable {
    private let state = Lock((now: 0, most: 0))

    /// The most that went on at once.
    var most: Int { state.withLock { $0.most } }

    nonisolated(nonsending) func during<Output>(
        _ body: () async throws -> Output
    ) async rethrows -> Output {
        state.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
        defer { state.withLock { $0.now -= 1 } }
        return try await body()
    }
}
