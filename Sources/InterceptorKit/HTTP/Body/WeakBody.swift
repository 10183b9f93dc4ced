extension HTTP {
    /// A weak reference to a body that can be read once. Use it to count or cancel bodies that still arrive
    /// without keeping those that their readers dropped.
    public struct WeakBody: Sendable {
        private weak let body: OneShotBody?

        /// Creates a reference.
        /// - Parameter body: The body; one that can be read again gives `nil`, because it has nothing to
        ///   cancel.
        public init?(_ body: Body) {
            guard case .oneShot(let body) = body.storage else { return nil }
            self.body = body
        }

        /// Whether somebody still holds the body.
        public var isAlive: Bool { body != nil }

        /// Whether the body is held and neither read to its end nor cancelled.
        public var isOpen: Bool { body?.isOpen == true }

        /// Cancels the body if it is still held: its reader gets a `CancellationError`.
        public func cancel() { body?.cancel() }
    }
}
