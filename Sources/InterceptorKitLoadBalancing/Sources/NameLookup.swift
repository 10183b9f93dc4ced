import InterceptorKit
import InterceptorKitConcurrency

/// One look-up of a name. It blocks, so it has a thread of its own, which ends with it.
enum NameLookup {
    /// Returns what a function that blocks says, or throws as soon as the task is cancelled, though the
    /// function goes on.
    static func addresses(
        of host: String,
        by look: @escaping @Sendable (String) throws -> [String] = SystemResolver.addresses
    ) async throws -> [String] {
        try Task.checkCancellation()
        let waiter = Waiter<[String], any Error>()
        let number = EventThread.start { waiter.resume(with: Result { try look(host) }) }
        if let number { throw LoadBalancingError.noThread(toResolve: host, number) }
        return try await waiter.value()
    }
}
