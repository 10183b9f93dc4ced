extension Simulation {
    /// A named wait that a deadlock report would list.
    package struct Wait: Sendable {
        fileprivate let ledger: Ledger
        fileprivate let entry: Ledger.Entry

        /// Says that the wait is over.
        package func end() { ledger.end(entry) }
    }

    /// Says that the current task begins to wait; `nil` outside a simulation.
    /// - Parameter what: Completes the sentence that begins with the task's name.
    package static func beginWait(
        _ what: @escaping @autoclosure @Sendable () -> String
    ) -> Wait? {
        guard let ledger = current?.waits else { return nil }
        let task = TaskLabel.current
        return Wait(ledger: ledger, entry: ledger.begin { "\(task) \(what())" })
    }
}
