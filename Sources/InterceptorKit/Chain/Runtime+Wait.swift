extension Runtime {
    /// A wait that a runtime was told of.
    public struct Wait: Sendable {
        private let whenOver: @Sendable () -> Void

        /// Creates a wait.
        /// - Parameter whenOver: Called when the wait is over.
        public init(whenOver: @escaping @Sendable () -> Void) { self.whenOver = whenOver }

        /// Says that the wait is over.
        public func end() { whenOver() }
    }
}
