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
    /// The transfer is cancelled when nothing refers to it, its ``progress`` or an iteration of that any more, so that
    /// none continues unnoticed. `HTTP.Client.cancelAll()` ends it too.
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

        /// The progress as it changes; each access begins with the current value.
        ///
        /// A slow reader gets the latest value and misses those between; the last one is always delivered. The sequence
        /// ends with the transfer, whether it succeeds or fails (``value`` has the result), and when the reading task is
        /// cancelled. Any number of readers may iterate it at once, and each keeps the transfer alive.
        public var progress: some AsyncSequence<Progress, Never> & Sendable {
            ProgressUpdates(reporter: reporter, transfer: self)
        }

        /// The current progress.
        public var latestProgress: Progress { reporter.latest }

        /// Waits for the end, and returns the output. It can be read more than once.
        /// - Throws: The transfer's error; `CancellationError` if the transfer was cancelled, or if the reading task is
        ///   cancelled, which does not affect the transfer.
        public var value: Output {
            get async throws {
                if outcome.result == nil { await reporter.waitForEnd() }
                guard let result = outcome.result else { throw CancellationError() }
                return try result.get()
            }
        }

        /// Cancels the transfer unless it has ended; ``value`` then throws `CancellationError`.
        public func cancel() { task.cancel() }
    }
}

private final class TransferOutcome<Output: Sendable>: Sendable {
    private let state = Lock<Result<Output, any Error>?>(nil)

    var result: Result<Output, any Error>? { state.withLock { $0 } }

    func set(_ result: Result<Output, any Error>) { state.withLock { $0 = result } }
}
