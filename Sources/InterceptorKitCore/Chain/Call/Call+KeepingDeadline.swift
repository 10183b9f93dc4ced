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
        throw LateError.of(error)
    }

    /// Does work of a transport that keeps the deadline.
    /// - Parameters:
    ///   - mayBeLate: Whether the work may take long; what may not runs in the caller's task. Defaults to
    ///     `true`.
    ///   - error: The error of late work.
    ///   - work: Does the work.
    package nonisolated(nonsending) func keepingDeadline<Output: Sendable>(
        if mayBeLate: Bool = true,
        late error: @autoclosure () -> TransportError,
        _ work: nonisolated(nonsending) @escaping @Sendable (Call) async throws -> Output
    ) async throws -> Output {
        guard mayBeLate else { return try await work(self) }
        do { return try await keepingDeadline(work) } catch let late as LateError {
            throw late.cause is CancellationError ? error() : late.cause
        }
    }

    /// Returns this call for work that goes on without the time limits above it.
    package var withoutLimits: Call {
        deadline.map { withDeadline($0, isLeft: false) } ?? self
    }
}

/// The end of work that its deadline cancelled, for the time limit above that left the deadline to the stages.
package struct LateError: ClassifiedError {
    let cause: any Error

    // What says by itself that the time is over is known to the time limit as it is.
    fileprivate static func of(_ error: any Error) -> any Error {
        let isTimeout = (error as? TransportError)?.code == .timedOut
        return error is LateError || isTimeout ? error : LateError(cause: error)
    }

    package var classification: Classification { .permanent("the deadline has passed") }
}
