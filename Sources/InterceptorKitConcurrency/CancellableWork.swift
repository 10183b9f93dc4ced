import Synchronization

/// Work that can be cancelled while its caller's task goes on.
///
/// It runs in a task of its own, because a task can only be cancelled as a whole.
package struct CancellableWork: ~Copyable, Sendable {
    /// The reason for the cancellation: all work was cancelled, or the time is over. The first reason counts.
    package enum Reason: Sendable { case all, time }

    // Not private: the compiler needs the metadata in types that store this one (Swift 6.3 fails otherwise).
    package struct State {
        fileprivate var task: TaskHandle?
        fileprivate var reason: Reason?
        fileprivate var hasEnded = false
    }

    private let state = Lock(State())

    package init() {}

    /// Cancels the work, unless it has ended. Work that has not begun is cancelled when it begins.
    package borrowing func cancel(_ reason: Reason) {
        state.withLock { state in
            guard !state.hasEnded, state.reason == nil else { return }
            state.reason = reason
            // Under the lock, which `end` takes before the task ends.
            state.task?.cancel()
        }
    }

    /// Marks the beginning of the work. Must be called in the work's task.
    package borrowing func begin() {
        let task = TaskHandle.current
        state.withLock { state in
            state.task = task
            if state.reason != nil { task.cancel() }
        }
    }

    /// Marks the end of the work. Must be called in the work's task.
    /// - Returns: The reason for the cancellation; `nil` if the work was not cancelled.
    package borrowing func end() -> Reason? {
        state.withLock { state in
            state.task = nil
            state.hasEnded = true
            return state.reason
        }
    }
}

/// Work that runs in a task of its own.
package protocol SeparateWork: AnyObject, Sendable {
    /// Does the work and keeps its output.
    nonisolated(nonsending) func run() async
}

extension SeparateWork {
    /// Runs the work in a child task of the caller's, and waits for its end.
    /// - Parameter isolation: The actor that the work runs on. Defaults to the caller's.
    package func runSeparately(isolation: isolated (any Actor)? = #isolation) async {
        // An immediate task starts on the caller's thread, which is cheaper than a queue; work that never suspends
        // needs no other thread at all.
        if #available(macOS 26, iOS 26, watchOS 26, tvOS 26, visionOS 26, *) {
            await withDiscardingTaskGroup { group in
                if isolation == nil {
                    // Captures one reference only, which needs no allocation.
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

    // Not a closure, because a closure in `async let` would run on the global executor.
    private func start(on isolation: isolated (any Actor)?) async { await run() }
}

/// A handle by which other tasks can cancel a task while it lives.
@safe
package struct TaskHandle: @unchecked Sendable {
    // Invariant behind `@unchecked Sendable`: `cancel` is safe from any thread while the task lives, and
    // ``CancellableWork`` drops its handle before the task ends.
    // Safety: the two uses of an `UnsafeCurrentTask` outside its closure are its storage here and
    // `cancel`, both while the task lives, as above.
    private let task: UnsafeCurrentTask?

    fileprivate static var current: TaskHandle {
        unsafe withUnsafeCurrentTask { unsafe TaskHandle(task: $0) }
    }

    fileprivate func cancel() { unsafe task?.cancel() }
}
