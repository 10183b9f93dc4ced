import InterceptorKitConcurrency

/// A call or transfer that a ``CallRegistry`` can cancel.
class RegisteredWork: @unchecked Sendable {
    // Invariant behind `@unchecked Sendable`: all here is constant or locked; see the subclass for its own.
    enum Kind { case call, transfer, started }

    let kind: Kind
    let work = CancellableWork()

    init(_ kind: Kind) { self.kind = kind }
}

/// Such work, with its output.
final class RegisteredBody<Output: Sendable>: RegisteredWork, SeparateWork, @unchecked Sendable {
    // Invariant behind `@unchecked Sendable`: `result` is written in the work's task, and read after that
    // has ended.
    private let body: nonisolated(nonsending) @Sendable () async throws -> Output
    private var result: Result<Output, any Error>?

    init(
        _ kind: Kind,
        _ body: nonisolated(nonsending) @escaping @Sendable () async throws -> Output
    ) {
        self.body = body
        super.init(kind)
    }

    /// Runs it in a task of its own, on the caller's executor.
    nonisolated(nonsending) func output() async throws -> Output {
        await runSeparately()
        guard let result else { throw CancellationError() }
        return try result.get()
    }

    nonisolated(nonsending) func run() async {
        work.begin()
        do { result = .success(try await body()) } catch { result = .failure(error) }
        _ = work.end()
    }
}
