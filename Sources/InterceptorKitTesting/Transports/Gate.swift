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
        var lastNumber: UInt64 = 0
        var held: [(number: UInt64, continuation: CheckedContinuation<Void, any Error>)] = []
        var watchers:
            [(number: UInt64, count: Int, continuation: CheckedContinuation<Void, any Error>)] = []

        mutating func nextNumber() -> UInt64 {
            lastNumber += 1
            return lastNumber
        }

        mutating func takeHeld(_ count: Int) -> [CheckedContinuation<Void, any Error>] {
            let taken = held.prefix(count).map(\.continuation)
            held.removeFirst(taken.count)
            return taken
        }

        mutating func takeSatisfiedWatchers() -> [CheckedContinuation<Void, any Error>] {
            let satisfied = watchers.filter { $0.count <= held.count }
            watchers.removeAll { $0.count <= held.count }
            return satisfied.map(\.continuation)
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

    /// Lets all held calls go on, in the order in which they came, and all later ones.
    public func open() { settle(.open) { $0.resume() } }

    /// Lets the first held calls go on, and keeps holding the others.
    /// - Parameter count: The number of calls. Only calls held now count.
    public func release(_ count: Int = 1) {
        let released = state.withLock { $0.takeHeld(max(0, count)) }
        for continuation in released { continuation.resume() }
    }

    /// Makes all held calls throw an error, in the order in which they came, and all later ones.
    public func fail(_ error: any Error) { settle(.failing(error)) { $0.resume(throwing: error) } }

    /// Holds all calls that come from now on.
    public func close() { state.withLock { $0.position = .closed } }

    private func settle(
        _ position: Position,
        _ resume: (CheckedContinuation<Void, any Error>) -> Void
    ) {
        let released = state.withLock { state in
            state.position = position
            return state.takeHeld(state.held.count)
        }
        for continuation in released { resume(continuation) }
    }

    /// Returns once the gate lets the caller go on.
    /// - Throws: The error that the gate fails with, or `CancellationError` as soon as the task is
    ///   cancelled.
    public func pass() async throws {
        try Task.checkCancellation()
        let number = state.withLock { $0.nextNumber() }
        let name = name
        let wait = Simulation.beginWait("is held at the gate \"\(name)\"")
        defer { wait?.end() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                arrive(number, continuation)
                // The handler may have run before there was anything to remove.
                if Task.isCancelled { cancelHeld(number) }
            }
        } onCancel: {
            cancelHeld(number)
        }
    }

    private func arrive(_ number: UInt64, _ continuation: CheckedContinuation<Void, any Error>) {
        let (position, watchers) = state.withLock { state in
            guard case .closed = state.position else {
                return (state.position, [CheckedContinuation<Void, any Error>]())
            }
            state.held.append((number, continuation))
            return (.closed, state.takeSatisfiedWatchers())
        }
        switch position {
        case .closed: for watcher in watchers { watcher.resume() }
        case .open: continuation.resume()
        case .failing(let error): continuation.resume(throwing: error)
        }
    }

    private func cancelHeld(_ number: UInt64) {
        let cancelled = state.withLock { state in
            let index = state.held.firstIndex { $0.number == number }
            return index.map { state.held.remove(at: $0).continuation }
        }
        cancelled?.resume(throwing: CancellationError())
    }

    /// Returns when a number of callers are held at the same time.
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    public func waitForArrivals(_ count: Int) async throws {
        try Task.checkCancellation()
        let number = state.withLock { $0.nextNumber() }
        let name = name
        let wait = Simulation.beginWait("waits until \(count) are held at the gate \"\(name)\"")
        defer { wait?.end() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let satisfied = state.withLock { state in
                    state.watchers.append((number, count, continuation))
                    return state.takeSatisfiedWatchers()
                }
                for watcher in satisfied { watcher.resume() }
                if Task.isCancelled { cancelWatcher(number) }
            }
        } onCancel: {
            cancelWatcher(number)
        }
    }

    private func cancelWatcher(_ number: UInt64) {
        let cancelled = state.withLock { state in
            let index = state.watchers.firstIndex { $0.number == number }
            return index.map { state.watchers.remove(at: $0).continuation }
        }
        cancelled?.resume(throwing: CancellationError())
    }
}
