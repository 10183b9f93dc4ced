import InterceptorKitConcurrency

extension Call {
    /// Does work of a stage that keeps the deadline: cancels it at the deadline, in a task of its own, if no time limit
    /// above does.
    /// - Parameter work: Does the work for a call whose deadline nobody below has to keep.
    package nonisolated(nonsending) func keepingDeadline<Output: Sendable>(
        _ work: nonisolated(nonsending) @escaping @Sendable (Call) async throws -> Output
    ) async throws -> Output {
        guard isDeadlineLeft, let deadline else { return try await work(self) }
        let limited = withDeadline(deadline, isLeft: false)
        let separate = SeparateBody { try await work(limited) }
        let timer = runtime.timer(at: deadline, "time limit") { separate.cancelLate() }
        let result = await separate.outcome()
        timer.cancel()
        guard case .failure(let error) = result, separate.wasLate else { return try result.get() }
        throw LateError(cause: error)
    }
}

/// The end of work that its deadline cancelled, for the time limit above that left the deadline to the stages.
struct LateError: ClassifiedError {
    let cause: any Error

    var classification: Classification { .permanent("the deadline has passed") }
}
