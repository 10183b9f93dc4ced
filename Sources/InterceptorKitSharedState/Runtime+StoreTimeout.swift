public import InterceptorKit

extension Runtime {
    /// Asks a store, which is cancelled and awaited if it does not answer in time.
    /// - Throws: `StoreError.Code.timedOut` after the limit, `CancellationError` if the caller is
    ///   cancelled, and what the store throws.
    func askStore<Answer: Sendable>(
        within limit: Duration,
        _ ask: @escaping @Sendable () async throws -> Answer
    ) async throws -> Answer {
        let first = await withTaskGroup(of: Result<Answer, any Error>?.self) { group in
            group.addTask {
                do { return .success(try await ask()) } catch { return .failure(error) }
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
    /// A store could not be asked, or did not answer in time: `store`, `policy` for what is done instead,
    /// `error.type`, `error.message`.
    public static let storeUnavailable: Self = "store.unavailable"
}
