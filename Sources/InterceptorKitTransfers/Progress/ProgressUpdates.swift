import InterceptorKit

extension HTTP {
    /// A sequence of a transfer's progress: see ``Transfer/progress``.
    struct ProgressUpdates: AsyncSequence, Sendable {
        typealias Element = Progress
        typealias Failure = Never

        let reporter: ProgressReporter
        // Keeps the transfer alive, which is cancelled when its last reference is released.
        let transfer: any Sendable

        /// Reads the progress, in order.
        struct AsyncIterator: AsyncIteratorProtocol {
            private let updates: ProgressUpdates
            private var seen = 0

            init(_ updates: ProgressUpdates) { self.updates = updates }

            /// Returns the latest unseen progress; `nil` when the transfer has ended or the task is cancelled.
            mutating func next() async -> Progress? {
                guard let news = await updates.reporter.next(after: seen) else { return nil }
                seen = news.version
                return news.progress
            }
        }

        func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
    }
}
