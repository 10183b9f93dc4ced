public import InterceptorKit

extension HTTP {
    /// The progress of a transfer as a sequence.
    ///
    /// The first value is the current one. A slow reader gets the latest value and misses those between; the last one
    /// is always delivered. The sequence ends with the transfer, whether it succeeds or fails: ``Transfer/value`` has
    /// the result. Any number of readers may iterate the sequence at once, and each keeps the transfer alive.
    public struct ProgressUpdates: AsyncSequence, Sendable {
        public typealias Element = Progress
        public typealias Failure = Never

        let reporter: ProgressReporter
        // Keeps the transfer alive, which is cancelled when its last reference is released.
        let transfer: any Sendable

        /// Reads the progress, in order.
        public struct AsyncIterator: AsyncIteratorProtocol {
            private let updates: ProgressUpdates
            private var seen = 0

            init(_ updates: ProgressUpdates) { self.updates = updates }

            /// Returns the latest unseen progress; `nil` when the transfer has ended or the task is cancelled.
            public mutating func next() async -> Progress? {
                guard let news = await updates.reporter.next(after: seen) else { return nil }
                seen = news.version
                return news.progress
            }
        }

        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
    }
}
