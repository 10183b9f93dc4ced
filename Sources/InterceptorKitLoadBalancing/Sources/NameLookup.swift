import InterceptorKit
import InterceptorKitConcurrency

/// One look-up of a name on a dedicated thread, because it blocks.
enum NameLookup {
    /// Returns the result of a blocking function. A cancelled task throws at once, though the function continues.
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
