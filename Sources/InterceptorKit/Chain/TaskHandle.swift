/// A handle on a task, by which another can cancel it while it lives.
@safe
struct TaskHandle: @unchecked Sendable {
    // Invariant behind `@unchecked Sendable`: `cancel` is safe from any thread while the task lives, and
    // whoever keeps a handle drops it before the task ends.
    private let task: UnsafeCurrentTask?

    /// The calling task's.
    static var current: TaskHandle { unsafe withUnsafeCurrentTask { unsafe TaskHandle(task: $0) } }

    func cancel() { unsafe task?.cancel() }
}
