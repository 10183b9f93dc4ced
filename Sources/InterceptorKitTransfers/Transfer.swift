public import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

extension HTTP {
    /// An upload or download under way.
    ///
    /// ```swift
    /// let download = client.startDownload(.get("/releases/7.iso"), to: "7.iso")
    /// for await progress in download.progress { print(progress) }
    /// let file = try await download.value
    /// ```
    ///
    /// It belongs to whoever holds it, its ``progress`` or an iteration of that. One that nobody holds
    /// any more is cancelled, so that none goes on unseen; `HTTP.Client.cancelAll()` ends it too.
    public final class Transfer<Output: Sendable>: Sendable {
        private let board: ProgressBoard
        private let outcome: TransferOutcome<Output>
        private let task: Task<Void, Never>

        init(
            _ name: String,
            on runtime: Runtime,
            _ work: @escaping @Sendable (ProgressBoard) async throws -> Output
        ) {
            let board = ProgressBoard(runtime)
            let outcome = TransferOutcome<Output>()
            self.board = board
            self.outcome = outcome
            task = runtime.start(name) {
                do {
                    outcome.set(.success(try await work(board)))
                } catch {
                    outcome.set(.failure(error))
                }
                board.finish()
            }
        }

        deinit { task.cancel() }

        /// The progress as it changes; each access begins anew with the present one.
        public var progress: ProgressUpdates { ProgressUpdates(board: board, transfer: self) }

        /// The progress at present.
        public var latestProgress: Progress { board.latest }

        /// Waits for the end and returns what came of it. May be asked more than once.
        /// - Throws: What the transfer failed with; `CancellationError` if it was cancelled, or if the
        ///   task that asks is, which leaves the transfer as it is.
        public var value: Output {
            get async throws {
                if outcome.result == nil { await board.waitForEnd() }
                guard let result = outcome.result else { throw CancellationError() }
                return try result.get()
            }
        }

        /// Ends the transfer with `CancellationError`, unless it has ended.
        public func cancel() { task.cancel() }
    }
}

/// How a transfer ended, once it has.
private final class TransferOutcome<Output: Sendable>: Sendable {
    private let state = Lock<Result<Output, any Error>?>(nil)

    var result: Result<Output, any Error>? { state.withLock { $0 } }

    func set(_ result: Result<Output, any Error>) { state.withLock { $0 = result } }
}
