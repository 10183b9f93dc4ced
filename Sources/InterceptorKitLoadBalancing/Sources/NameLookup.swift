import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

/// One look-up of a name. It blocks, so it has a thread of its own, which ends with it.
final class NameLookup: Sendable {
    // Taken by the code that resumes it.
    private let waiter = Lock<CheckedContinuation<[String], any Error>?>(nil)

    private init() {}

    /// Returns what a function that blocks says, or throws as soon as the task is cancelled, though the
    /// function goes on.
    static func addresses(
        of host: String,
        by look: @escaping @Sendable (String) throws -> [String] = SystemResolver.addresses
    ) async throws -> [String] {
        let lookup = NameLookup()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                lookup.waiter.withLock { $0 = continuation }
                // The handler may have run before there was anything to resume.
                if Task.isCancelled { return lookup.end(.failure(CancellationError())) }
                let number = EventThread.start {
                    lookup.end(Result { try look(host) })
                }
                if let number {
                    lookup.end(.failure(LoadBalancingError.noThread(toResolve: host, number)))
                }
            }
        } onCancel: {
            lookup.end(.failure(CancellationError()))
        }
    }

    private func end(_ result: Result<[String], any Error>) {
        waiter.withLock { $0.take() }?.resume(with: result)
    }
}
