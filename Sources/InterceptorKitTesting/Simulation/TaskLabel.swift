/// The name of a task in reports.
struct TaskLabel: Sendable, CustomStringConvertible {
    private let name: String?
    private let number: UInt64
    private let executor: SimulationExecutor?

    static var current: TaskLabel {
        let executor = SimulationThread.executor
        var name: String?
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) { name = Task.name }
        return TaskLabel(name: name, number: ConcurrencyRuntime.currentNumber, executor: executor)
    }

    /// The label, as in `"refresh"`; for a task without a name, `task 3 (of 1)` as in the simulation's steps.
    var description: String {
        if let name { return "\"\(name)\"" }
        return executor.map { $0.trace.label(of: number) } ?? "an unnamed task"
    }
}
