import InterceptorKitConcurrency
import Synchronization

/// Hands over elements one after the other, off the path of the one who adds them: for a sink or logger whose
/// output is slow.
///
/// What waits is bounded; what comes when that many wait is dropped and counted. An error that delivering
/// throws is counted and ends nothing. The task exists while there is something to deliver.
public final class OrderedDelivery<Element: Sendable>: Sendable {
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

    /// Creates a delivery.
    /// - Parameters:
    ///   - name: Says what the task is for, in reports of what still runs.
    ///   - limit: How many elements may wait; at least one.
    ///   - runtime: Runs the task.
    ///   - deliver: Is given each element.
    public init(
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

    /// How many elements were dropped because too many waited, and how often delivering threw.
    public var counts: (missed: Int, failures: Int) { state.withLock(\.counts) }

    /// Adds an element; drops it if too many wait.
    public func add(_ element: Element) {
        state.withLock { state in
            guard state.waiting.count < limit else {
                state.counts.missed += 1
                return
            }
            state.waiting.append(element)
            if state.task == nil { state.task = runtime.start(name) { await self.run() } }
        }
    }

    /// Returns when what was added so far has been delivered.
    public func flush() async { await state.withLock(\.task)?.value }

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

    // The task ends under the same lock that looks for it, so no element is left without one.
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
