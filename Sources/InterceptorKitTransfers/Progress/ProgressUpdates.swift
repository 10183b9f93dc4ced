import InterceptorKit

extension HTTP {
    /// A sequence of a transfer's progress: see ``Transfer/progress``.
    struct ProgressUpdates: AsyncSequence, Sendable {
        typealias Element = Progress
        typealias Failure = Never

        let reporter: ProgressReporter
        // A transfer that nobody holds is cancelled; one that is watched is held.
        let transfer: any Sendable

        /// Waits for the next value.
        struct AsyncIterator: AsyncIteratorProtocol {
            private let updates: ProgressUpdates
            private var seen = 0

            init(_ updates: ProgressUpdates) { self.updates = updates }

            /// Returns the newest unseen progress; `nil` when the transfer has ended, and as soon as the task
            /// is cancelled.
            mutating func next() async -> Progress? {
                guard let news = await updates.reporter.next(after: seen) else { return nil }
                seen = news.version
                return news.progress
            }
        }

        func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
    }
}
