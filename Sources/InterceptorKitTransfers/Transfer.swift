public import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

extension HTTP {
    /// An upload or download in progress.
    ///
    /// ```swift
    /// let download = api.startDownload(.get("/releases/7.img"), to: "7.img")
    /// for await progress in download.progress {
    ///     print(progress)  // 2048 of 4096 bytes (50 %), 1024 bytes/s, 2 s left
    /// }
    /// let file = try await download.value
    /// ```
    ///
    /// It belongs to the code that holds it, its ``progress`` or an iteration of that. A transfer that nobody
    /// holds any more is cancelled, so none goes on unseen; `HTTP.Client.cancelAll()` ends it too.
    public final class Transfer<Output: Sendable>: Sendable {
        private let reporter: ProgressReporter
        private let outcome: TransferOutcome<Output>
        private let task: Task<Void, Never>

        init(
            _ name: String,
            on runtime: Runtime,
            _ work: @escaping @Sendable (ProgressReporter) async throws -> Output
        ) {
            let reporter = ProgressReporter(runtime)
            let outcome = TransferOutcome<Output>()
            self.reporter = reporter
            self.outcome = outcome
            task = runtime.start(name) {
                do {
                    outcome.set(.success(try await work(reporter)))
                } catch {
                    outcome.set(.failure(error))
                }
                reporter.finish()
            }
        }

        deinit { task.cancel() }

        /// The progress as it changes; each access begins with the current one.
        ///
        /// A slow reader gets the newest value and misses those between; the last one is always delivered. The sequence
        /// ends when the transfer has ended, in whatever way (``value`` has the result), and as soon as the reading task
        /// is cancelled. Any number of readers may iterate it; each sees all of this, and keeps the transfer alive
        /// meanwhile.
        public var progress: some AsyncSequence<Progress, Never> & Sendable {
            ProgressUpdates(reporter: reporter, transfer: self)
        }

        /// The current progress.
        public var latestProgress: Progress { reporter.latest }

        /// Waits for the end and returns the output. You can read it more than once.
        /// - Throws: The transfer's error; `CancellationError` if it was cancelled, or if the reading task
        ///   is, which leaves the transfer as it is.
        public var value: Output {
            get async throws {
                if outcome.result == nil { await reporter.waitForEnd() }
                guard let result = outcome.result else { throw CancellationError() }
                return try result.get()
            }
        }

        /// Cancels the transfer, which throws `CancellationError`, unless it has ended.
        public func cancel() { task.cancel() }
    }
}

/// How a transfer ended, once it has.
private final class TransferOutcome<Output: Sendable>: Sendable {
    private let state = Lock<Result<Output, any Error>?>(nil)

    var result: Result<Output, any Error>? { state.withLock { $0 } }

    func set(_ result: Result<Output, any Error>) { state.withLock { $0 = result } }
}
