public import InterceptorKit

extension Runtime {
    /// Runs an operation of a store, and cancels and awaits it if it does not return in time.
    /// - Throws: `StoreError.Code.timedOut` after the limit, `CancellationError` if the caller is cancelled,
    ///   and the errors of the store.
    func withStoreTimeout<Value: Sendable>(
        _ limit: Duration,
        _ operation: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let first = await withTaskGroup(of: Result<Value, any Error>?.self) { group in
            group.addTask {
                do { return .success(try await operation()) } catch { return .failure(error) }
            }
            group.addTask {
                try? await self.sleep(for: limit)
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
        if Task.isCancelled { throw CancellationError() }
        guard let first else {
            throw StoreError(
                .timedOut,
                "The store did not answer within \(limit.formattedSeconds)."
            )
        }
        return try first.get()
    }
}

extension Event.Name {
    /// A store was unavailable or did not respond in time: `store`, `policy` (the behaviour that replaces it),
    /// `error.type`, `error.message`.
    public static let storeUnavailable: Self = "store.unavailable"
}
