import InterceptorKitConcurrency
import Synchronization

/// A time limit after which the stages below are cancelled.
final class TimeLimit<Input: Interceptable>: DeadlineTimer, SeparateWork, @unchecked Sendable {
    // Invariant behind `@unchecked Sendable`, in addition to the superclass's: `result` is written in the work's task,
    // and read after that task has ended.
    private let chain: InterceptorChain<Input>
    private let call: Call
    private let work = CancellableWork()
    private var result: Result<Input.Output, any Error>?
    private var isOver = false

    private init(_ chain: InterceptorChain<Input>, call: Call) {
        self.chain = chain
        self.call = call
        super.init(on: call.runtime)
    }

    /// Proceeds on the caller's executor, cancels the work at an instant, and waits for its end either way.
    /// - Returns: The result, and whether the time was over before the work ended.
    static nonisolated(nonsending) func proceed(
        _ chain: InterceptorChain<Input>,
        call: Call,
        until instant: Runtime.Instant
    ) async -> (result: Result<Input.Output, any Error>, isOver: Bool) {
        let limit = TimeLimit(chain, call: call)
        call.runtime.set(limit, at: instant, "time limit")
        await limit.runSeparately()
        limit.cancel()
        return (limit.result.take() ?? .failure(CancellationError()), limit.isOver)
    }

    nonisolated(nonsending) func run() async {
        work.begin()
        do {
            result = .success(try await chain.proceed(chain.input, call: call))
        } catch {
            result = .failure(error)
        }
        isOver = work.end() == .time
    }

    override func fire() { work.cancel(.time) }
}
