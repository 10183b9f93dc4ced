public import InterceptorKit

extension HTTP {
    /// A sequence of a transfer's progress.
    ///
    /// The first value is the current one. A slow reader gets the newest value and misses those between; the
    /// last one is always delivered. The sequence ends when the transfer has ended, in whatever way:
    /// ``Transfer/value`` has the result. Any number of readers may iterate it; each sees all of this, and
    /// keeps the transfer alive meanwhile.
    public struct ProgressUpdates: AsyncSequence, Sendable {
        public typealias Element = Progress
        public typealias Failure = Never

        let reporter: ProgressReporter
        // A transfer that nobody holds is cancelled; one that is watched is held.
        let transfer: any Sendable

        /// Waits for the next value.
        public struct AsyncIterator: AsyncIteratorProtocol {
            private let updates: ProgressUpdates
            private var seen = 0

            init(_ updates: ProgressUpdates) { self.updates = updates }

            /// Returns the newest unseen progress; `nil` when the transfer has ended, and as soon as the task
            /// is cancelled.
            public mutating func next() async -> Progress? {
                guard let news = await updates.reporter.next(after: seen) else { return nil }
                seen = news.version
                return news.progress
            }
        }

        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
    }
}
