import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitLoopback
import Synchronization

/// A gate that holds calls until a test opens it or makes it fail.
///
/// ```swift
/// let gate = Gate("orders")
/// let transport = ScriptedTransport<HTTP.Request>(replies: [.status(200).held(at: gate)])
/// let client = try HTTP.Client(transport: transport) {
///     RetryInterceptor(policy: .standard)
/// }
/// async let response = client.send(.get("https://api.example.com/orders"))
/// try await gate.waitForArrivals(1)  // the request is in flight now
/// gate.open()
/// print(try await response.status)  // 200 OK
/// ```
public final class Gate: Sendable {
    private enum Position {
        case closed
        case open
        case failing(any Error)
    }

    private struct State {
        var position = Position.closed
        var held = WaiterQueue<Waiter<Void, any Error>>()
        var watchers = WaiterQueue<(count: Int, task: Waiter<Void, any Error>)>()

        mutating func takeHeld(_ count: Int) -> [Waiter<Void, any Error>] {
            var taken: [Waiter<Void, any Error>] = []
            while taken.count < count, let next = held.removeFirst() { taken.append(next) }
            return taken
        }

        mutating func takeSatisfiedWatchers() -> [Waiter<Void, any Error>] {
            let count = held.count
            return watchers.removeAll { watcher in watcher.count <= count }.map(\.task)
        }
    }

    /// The gate's name, for reports.
    public let name: String
    private let state = Lock(State())

    /// Creates a closed gate.
    /// - Parameter name: The gate's name, for reports. Defaults to `gate`.
    public init(_ name: String = "gate") {
        self.name = name
        LeakRegistry.watch(self)
    }

    /// The number of calls held now.
    public var held: Int { state.withLock { $0.held.count } }

    /// Lets all held calls proceed, in the order in which they arrived, and all later ones.
    public func open() { settle(.open) { $0.resume() } }

    /// Lets the first held calls proceed, and keeps holding the others.
    /// - Parameter count: The number of calls. Only calls held now count.
    public func release(_ count: Int = 1) {
        let released = state.withLock { $0.takeHeld(max(0, count)) }
        for task in released { task.resume() }
    }

    /// Makes all held calls throw an error, in the order in which they arrived, and all later ones.
    public func fail(_ error: any Error) { settle(.failing(error)) { $0.resume(throwing: error) } }

    /// Holds all calls that arrive from now on.
    public func close() { state.withLock { $0.position = .closed } }

    private func settle(
        _ position: Position,
        _ resume: (Waiter<Void, any Error>) -> Void
    ) {
        let released = state.withLock { state in
            state.position = position
            return state.held.removeAll()
        }
        for task in released { resume(task) }
    }

    /// Returns once the gate lets the caller proceed.
    /// - Throws: The error that the gate fails with, or `CancellationError` as soon as the task is cancelled.
    public func pass() async throws {
        try Task.checkCancellation()
        let name = name
        let wait = Simulation.beginWait("is held at the gate \"\(name)\"")
        defer { wait?.end() }
        let task = Waiter<Void, any Error>()
        let (position, number, satisfied) = state.withLock { state in
            guard case .closed = state.position else {
                return (state.position, 0, [Waiter<Void, any Error>]())
            }
            let number = state.held.join(task)
            return (.closed, number, state.takeSatisfiedWatchers())
        }
        switch position {
        case .closed: for watcher in satisfied { watcher.resume() }
        case .open: return
        case .failing(let error): throw error
        }
        try await task.value(onCancel: {
            state.withLock { $0.held.leave(number) }?.resume(throwing: CancellationError())
        })
    }

    /// Returns when a number of callers are held at the same time.
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    public func waitForArrivals(_ count: Int) async throws {
        try Task.checkCancellation()
        let name = name
        let wait = Simulation.beginWait("waits until \(count) are held at the gate \"\(name)\"")
        defer { wait?.end() }
        let task = Waiter<Void, any Error>()
        let (number, satisfied) = state.withLock { state in
            let number = state.watchers.join((count, task))
            return (number, state.takeSatisfiedWatchers())
        }
        for watcher in satisfied { watcher.resume() }
        try await task.value(onCancel: {
            state.withLock { $0.watchers.leave(number) }?.task.resume(throwing: CancellationError())
        })
    }
}
