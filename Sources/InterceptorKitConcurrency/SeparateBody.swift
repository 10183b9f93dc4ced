/// A function that runs in a task of its own, and can be cancelled apart from its caller.
package class AnySeparateBody: @unchecked Sendable {
    // Invariant behind `@unchecked Sendable`: what is here is locked; see the subclass for its own.
    fileprivate final let work = CancellableWork()

    fileprivate init() {}

    /// Cancels it, unless it has ended.
    package final func cancel() { work.cancel(.all) }

    /// Cancels it because its time is over, unless it has ended.
    package final func cancelLate() { work.cancel(.time) }
}

/// Such a function, with its output.
package final class SeparateBody<Output: Sendable>: AnySeparateBody, SeparateWork,
    @unchecked Sendable
{
    // Invariant behind `@unchecked Sendable`: `result` and `wasLate` are written in the function's task, and
    // read after that has ended.
    private let body: nonisolated(nonsending) @Sendable () async throws -> Output
    private var result: Result<Output, any Error>?
    /// Whether its time was over before it had ended; to be read after that.
    package private(set) var wasLate = false

    package init(_ body: nonisolated(nonsending) @escaping @Sendable () async throws -> Output) {
        self.body = body
    }

    /// Runs it, once, on the caller's executor.
    /// - Returns: Its outcome.
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
