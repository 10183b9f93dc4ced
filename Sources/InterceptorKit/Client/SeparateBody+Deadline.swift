import InterceptorKitConcurrency

extension SeparateBody {
    /// Runs it, and ends it when the call's deadline is over.
    /// - Throws: What it throws; a `TimeoutError` in place of an engine's at the deadline, and if it went on.
    nonisolated(nonsending) func output(
        within limit: Duration,
        of call: Call
    ) async throws -> Output {
        guard let deadline = call.deadline else { return try await outcome().get() }
        let runtime = call.runtime
        // What watches the deadline knows more, such as what it waited for, and says so by then.
        let end = deadline.advanced(by: .milliseconds(100))
        let timer = runtime.timer(at: end, "time limit") { self.cancelLate() }
        let result = await outcome()
        timer.cancel()
        guard case .failure(let error) = result else { return try result.get() }
        throw call.outcome(
            of: error,
            isOver: wasLate,
            TimeoutError(.total, limit: limit),
            from: "HTTP.Client"
        )
    }
}
