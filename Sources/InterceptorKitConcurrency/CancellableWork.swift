import Synchronization

/// Work that can be cancelled while its caller's task goes on.
///
/// It runs in a task of its own, since a task is cancelled only as a whole.
package struct CancellableWork: ~Copyable, Sendable {
    /// Why the work was cancelled. If there are several reasons, the first counts.
    package enum Reason: Sendable { case all, time }

    // Not private: a type that stores this one needs the metadata (Swift 6.3 breaks off otherwise).
    package struct State {
        fileprivate var task: TaskHandle?
        fileprivate var reason: Reason?
        fileprivate var hasEnded = false
    }

    private let state = Lock(State())

    package init() {}

    /// Cancels the work, unless it has ended. Work that hasn't begun is cancelled when it begins.
    package borrowing func cancel(_ reason: Reason) {
        state.withLock { state in
            guard !state.hasEnded, state.reason == nil else { return }
            state.reason = reason
            // Under the lock, which the work takes before its task ends.
            state.task?.cancel()
        }
    }

    /// Tells that the work begins, in its task.
    package borrowing func begin() {
        let task = TaskHandle.current
        state.withLock { state in
            state.task = task
            if state.reason != nil { task.cancel() }
        }
    }

    /// Tells that the work has ended, in its task.
    /// - Returns: Why it was cancelled before; `nil` if it wasn't.
    package borrowing func end() -> Reason? {
        state.withLock { state in
            state.task = nil
            state.hasEnded = true
            return state.reason
        }
    }
}

/// What runs in a task of its own.
package protocol SeparateWork: AnyObject, Sendable {
    /// Does the work, and keeps its output.
    nonisolated(nonsending) func run() async
}

extension SeparateWork {
    /// Runs the work in a task of its own, and waits for its end.
    ///
    /// The task is a child of the caller's, and runs on the caller's executor.
    /// - Parameter isolation: The actor that the work runs on. Defaults to the caller's.
    package func runSeparately(isolation: isolated (any Actor)? = #isolation) async {
        // A task that starts on the caller's thread is cheaper than one that begins in a queue; and if the
        // work never suspends, nothing waits for another thread.
        if #available(macOS 26, iOS 26, watchOS 26, tvOS 26, visionOS 26, *) {
            await withDiscardingTaskGroup { group in
                if isolation == nil {
                    // Captures one reference, which costs no allocation.
                    group.addImmediateTask { await self.run() }
                } else {
                    group.addImmediateTask {
                        _ = isolation
                        await self.run()
                    }
                }
            }
        } else {
            async let end: Void = start(on: isolation)
            await end
        }
    }

    // No closure, since one that is made here runs on the global executor.
    private func start(on isolation: isolated (any Actor)?) async { await run() }
}

/// A handle on a task, by which another can cancel it while it lives.
@safe
package struct TaskHandle: @unchecked Sendable {
    // Invariant behind `@unchecked Sendable`: `cancel` is safe from any thread while the task lives, and
    // ``CancellableWork`` drops its handle before the task ends.
    // Safety: the two uses of an `UnsafeCurrentTask` outside its closure are its storage here and
    // `cancel`, both while the task lives, as above.
    private let task: UnsafeCurrentTask?

    /// The calling task's.
    fileprivate static var current: TaskHandle {
        unsafe withUnsafeCurrentTask { unsafe TaskHandle(task: $0) }
    }

    fileprivate func cancel() { unsafe task?.cancel() }
}
