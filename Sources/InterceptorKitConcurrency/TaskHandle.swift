/// A handle on a task, by which another can cancel it while it lives.
@safe
package struct TaskHandle: @unchecked Sendable {
    // Invariant behind `@unchecked Sendable`: `cancel` is safe from any thread while the task lives, and
    // anyone who keeps a handle drops it before the task ends.
    // Safety: the two uses of an `UnsafeCurrentTask` outside its closure are its storage here and
    // `cancel`, both while the task lives, as above.
    private let task: UnsafeCurrentTask?

    /// The calling task's.
    package static var current: TaskHandle {
        unsafe withUnsafeCurrentTask { unsafe TaskHandle(task: $0) }
    }

    package func cancel() { unsafe task?.cancel() }
}
