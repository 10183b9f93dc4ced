extension Runtime {
    /// A wait that a runtime records for reports.
    public struct Wait: Sendable {
        private let whenOver: @Sendable () -> Void

        /// Creates a wait.
        /// - Parameter whenOver: Called when the wait is over.
        public init(whenOver: @escaping @Sendable () -> Void) { self.whenOver = whenOver }

        /// Ends the wait.
        public func end() { whenOver() }
    }
}
