import InterceptorKit

extension Simulation {
    /// Says that the current task begins to wait, for what has no runtime at hand; `nil` outside a
    /// simulation.
    /// - Parameter what: Completes the sentence that begins with the task's name.
    static func beginWait(_ what: @escaping @autoclosure @Sendable () -> String) -> Runtime.Wait? {
        SimulationThread.executor?.waits.beginWait(what)
    }
}

extension ActivityRegistry {
    func beginWait(_ what: @escaping @Sendable () -> String) -> Runtime.Wait {
        let task = TaskLabel.current
        let entry = begin { "\(task) \(what())" }
        return Runtime.Wait { self.end(entry) }
    }
}
