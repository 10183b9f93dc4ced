/// What a task is called in reports.
struct TaskLabel: Sendable, CustomStringConvertible {
    /// The name of the task that the current one descends from.
    @TaskLocal static var root: String?

    private let name: String?
    private let root: String?

    /// The current task's.
    static var current: TaskLabel {
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            return TaskLabel(name: Task.name, root: root)
        }
        return TaskLabel(name: nil, root: root)
    }

    /// As in `"refresh"`; where a task has no name of its own, `"refresh" or a child of it`.
    var description: String {
        if let name { return "\"\(name)\"" }
        return root.map { "\"\($0)\" or a child of it" } ?? "an unnamed task"
    }
}
