import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

/// A program that is run for what it writes to its standard output.
///
/// A thread of its own waits for it, ends it if told to, and takes its status, so that neither a process nor a
/// zombie is left.
enum ChildProcess {
    enum Ending: Sendable, Equatable {
        case exited(Int32, output: [UInt8])
        case killed(signal: Int32)
        case timedOut
        case tooMuchOutput
        case notStarted(reason: String)
    }

    /// Runs a program to its end.
    /// - Parameters:
    ///   - words: The program, looked for in `PATH`, and its arguments.
    ///   - limit: The time after which it is killed, by the runtime's clock.
    /// - Throws: `CancellationError` if the task is cancelled, once the program has been killed.
    static func run(
        _ words: [String],
        variables: [String: String],
        limit: Duration,
        outputLimit: Int,
        runtime: Runtime
    ) async throws -> Ending {
        let waiter = Waiter()
        guard let stop = try? ChildStop() else {
            return .notStarted(reason: "there is no descriptor for it")
        }
        let timer = runtime.timer(
            at: runtime.now.advanced(by: limit),
            "time limit of a credential process"
        ) { stop.end(.time) }
        defer { timer.cancel() }
        let ending = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                waiter.wait(continuation)
                let number = EventThread.start {
                    waiter.end(SpawnedChild.run(words, variables, outputLimit, stop))
                }
                if number != nil { waiter.end(.notStarted(reason: "there is no thread for it")) }
            }
        } onCancel: {
            stop.end(.all)
        }
        try Task.checkCancellation()
        return ending
    }

    private final class Waiter: Sendable {
        // Taken by the code that resumes it.
        private let waiting = Lock<CheckedContinuation<Ending, Never>?>(nil)

        func wait(_ continuation: CheckedContinuation<Ending, Never>) {
            waiting.withLock { $0 = continuation }
        }

        func end(_ ending: Ending) { waiting.withLock { $0.take() }?.resume(returning: ending) }
    }
}

/// What the system refused.
struct ChildError: Error {
    let reason: String
}
