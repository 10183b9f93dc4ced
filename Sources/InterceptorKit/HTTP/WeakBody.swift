extension HTTP {
    /// A body that can be read once, held weakly: to count and to end what is still arriving without
    /// keeping what its reader has dropped.
    public struct WeakBody: Sendable {
        private weak let body: OneShotBody?

        /// Creates a reference.
        /// - Parameter body: The body; one that can be read again has nothing to end, and gives `nil`.
        public init?(_ body: Body) {
            guard case .oneShot(let body) = body.storage else { return nil }
            self.body = body
        }

        /// Whether somebody still holds the body.
        public var isAlive: Bool { body != nil }

        /// Whether the body is held and neither read to its end nor cancelled.
        public var isOpen: Bool { body?.isOpen == true }

        /// Ends the body if it is still held: its reader sees `CancellationError`.
        public func cancel() { body?.cancel() }
    }
}
