/// A function that runs in a task of its own and can be cancelled apart from its caller.
package class AnySeparateBody: @unchecked Sendable {
    // Invariant behind `@unchecked Sendable`: `work` is locked; the subclass states its own invariant.
    fileprivate final let work = CancellableWork()

    fileprivate init() {}

    /// Cancels the function, unless it has ended.
    package final func cancel() { work.cancel(.all) }

    /// Cancels the function because its time is over, unless it has ended.
    package final func cancelLate() { work.cancel(.time) }
}

/// A function in a task of its own, with its output.
package final class SeparateBody<Output: Sendable>: AnySeparateBody, SeparateWork,
    @unchecked Sendable
{
    // Invariant behind `@unchecked Sendable`: `result` and `wasLate` are written in the function's task and read after
    // its end.
    private let body: nonisolated(nonsending) @Sendable () async throws -> Output
    private var result: Result<Output, any Error>?
    /// Whether the time was over before the function ended. To be read after its end.
    package private(set) var wasLate = false

    package init(_ body: nonisolated(nonsending) @escaping @Sendable () async throws -> Output) {
        self.body = body
    }

    /// Runs the function on the caller's executor. Must be called only once.
    /// - Returns: The function's outcome.
    package nonisolated(nonsending) func outcome() async -> Result<Output, any Error> {
        await runSeparately()
        return result ?? .failure(CancellationError())
    }

    package nonisolated(nonsending) func run() async {
        work.begin()
        do { result = .success(try await body()) } catch { result = .failure(error) }
        wasLate = work.end() == .time
    }
}
