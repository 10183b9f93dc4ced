import InterceptorKit
import InterceptorKitConcurrency

/// Runs a program for its standard output.
///
/// A dedicated thread waits for the program, kills it if told to, and reaps it, so that no process or zombie remains.
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
    ///   - words: The program, which is searched for in `PATH`, and its arguments.
    ///   - limit: The time after which the program is killed, by the runtime's clock.
    /// - Throws: `CancellationError` if the task is cancelled, after the program has been killed.
    static func run(
        _ words: [String],
        variables: [String: String],
        limit: Duration,
        outputLimit: Int,
        runtime: Runtime
    ) async throws -> Ending {
        try Task.checkCancellation()
        guard let stop = try? ChildStop() else {
            return .notStarted(reason: "there is no descriptor for it")
        }
        let timer = runtime.timer(
            at: runtime.now.advanced(by: limit),
            "time limit of a credential process"
        ) { stop.end(.time) }
        defer { timer.cancel() }
        let waiter = Waiter<Ending, Never>()
        let number = EventThread.start {
            waiter.resume(returning: SpawnedChild.run(words, variables, outputLimit, stop))
        }
        guard number == nil else { return .notStarted(reason: "there is no thread for it") }
        let ending = await waiter.value(onCancel: { stop.end(.all) })
        try Task.checkCancellation()
        return ending
    }
}

/// A refusal by the operating system.
struct ChildError: Error {
    let reason: String
}
