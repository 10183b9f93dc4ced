import Dispatch
import Foundation

/// Cancels a task from another thread, also when asked to before it knows the task.
final class Canceller: @unchecked Sendable {
    // A clock of its own: tasks that wait would take turns with the calls they cancel.
    private static let queue = DispatchQueue(label: "storm")

    // Invariant behind `@unchecked Sendable`: touched only while locked. `NSLock`, because Thread
    // Sanitizer sees what it does.
    private var task: Task<Void, Never>?
    private var isDue = false
    private let lock = NSLock()

    func attach(_ task: Task<Void, Never>) {
        let isDue = lock.withLock {
            self.task = task
            return self.isDue
        }
        if isDue { task.cancel() }
    }

    /// Cancels the task soon, while the caller goes on.
    func cancel(after microseconds: Int = 0) {
        guard microseconds > 0 else { return Canceller.queue.async { self.cancelNow() } }
        Canceller.queue.asyncAfter(deadline: .now() + .microseconds(microseconds)) {
            self.cancelNow()
        }
    }

    private func cancelNow() {
        let task = lock.withLock {
            isDue = true
            return self.task
        }
        task?.cancel()
    }
}
