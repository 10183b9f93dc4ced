import InterceptorKitConcurrency
import Synchronization

/// A queue that delivers elements one at a time in its own task, for example for a sink or logger with slow output.
///
/// The queue is bounded; when it is full, new elements are dropped and counted. An error during delivery is counted,
/// and delivery goes on. The task exists only while there are elements to deliver.
package final class OrderedDelivery<Element: Sendable>: Sendable {
    private struct State {
        var waiting: [Element] = []
        var task: Task<Void, Never>?
        var counts = (missed: 0, failures: 0)
    }

    private let name: String
    private let limit: Int
    private let runtime: Runtime
    private let deliver: @Sendable (Element) async throws -> Void
    private let state = Lock(State())

    /// Creates a queue.
    /// - Parameters:
    ///   - name: The task's purpose, for reports of running tasks.
    ///   - limit: The number of elements that may wait; at least one.
    ///   - runtime: The runtime that starts the task.
    ///   - deliver: Delivers an element.
    package init(
        _ name: String,
        buffering limit: Int,
        on runtime: Runtime,
        _ deliver: @escaping @Sendable (Element) async throws -> Void
    ) {
        self.name = name
        self.limit = max(1, limit)
        self.runtime = runtime
        self.deliver = deliver
    }

    /// The number of elements dropped because the queue was full, and the number of times that delivery threw.
    package var counts: (missed: Int, failures: Int) { state.withLock(\.counts) }

    package func add(_ element: Element) {
        state.withLock { state in
            guard state.waiting.count < limit else {
                state.counts.missed += 1
                return
            }
            state.waiting.append(element)
            if state.task == nil { state.task = runtime.start(name) { await self.run() } }
        }
    }

    /// Waits until all elements added so far have been delivered.
    package func flush() async { await state.withLock(\.task)?.value }

    private func run() async {
        while let elements = takeWaiting() {
            for element in elements {
                do {
                    try await deliver(element)
                } catch {
                    state.withLock { $0.counts.failures += 1 }
                }
            }
        }
    }

    // `add` looks for the task under the same lock, so no element is left without a task.
    private func takeWaiting() -> [Element]? {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.task = nil
                return nil
            }
            defer { state.waiting = [] }
            return state.waiting
        }
    }
}
