/// Hands each event to a closure, one after the other and in order, off the path of the calls.
///
/// ```swift
/// let api = try HTTP.Client(
///     transport: transport,
///     events: EventObserver { event in try await journal.append(event) }
/// ) { … }
/// ```
///
/// The closure may take its time and may throw: what waits for it is bounded, so that the newest events
/// are dropped when it is too slow, and an error is counted and ends nothing. It runs in a task that
/// exists while there is something to deliver.
public final class EventObserver: EventSink {
    private struct State {
        var waiting: [Event] = []
        var delivery: Task<Void, Never>?
        var missed = 0
        var failures = 0
    }

    public let redaction: Redaction
    private let limit: Int
    private let runtime: Runtime
    private let observe: @Sendable (Event) async throws -> Void
    private let state = Lock(State())

    /// Creates an observer.
    /// - Parameters:
    ///   - limit: How many events may wait for the closure. Defaults to 1,024.
    ///   - runtime: Runs the task that delivers. Defaults to the live runtime.
    ///   - redaction: Decides what may be shown of requests, responses and errors. Defaults to the
    ///     standard rule.
    ///   - observe: Is given each event.
    public init(
        buffering limit: Int = 1024,
        runtime: Runtime = .live,
        redaction: Redaction = .standard,
        _ observe: @escaping @Sendable (_ event: Event) async throws -> Void
    ) {
        self.limit = max(1, limit)
        self.runtime = runtime
        self.redaction = redaction
        self.observe = observe
    }

    /// How many events were dropped because the closure was too slow.
    public var missed: Int { state.withLock(\.missed) }

    /// How many times the closure threw.
    public var failures: Int { state.withLock(\.failures) }

    public func record(_ event: Event) {
        state.withLock { state in
            guard state.waiting.count < limit else {
                state.missed += 1
                return
            }
            state.waiting.append(event)
            if state.delivery == nil {
                state.delivery = runtime.start("event delivery") { await self.deliver() }
            }
        }
    }

    /// Returns when what was reported so far has been delivered.
    public func flush() async { await state.withLock(\.delivery)?.value }

    private func deliver() async {
        while let events = takeWaiting() {
            for event in events {
                do {
                    try await observe(event)
                } catch {
                    state.withLock { $0.failures += 1 }
                }
            }
        }
    }

    // The task ends under the same lock that looks for it, so no event is left without one.
    private func takeWaiting() -> [Event]? {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.delivery = nil
                return nil
            }
            defer { state.waiting = [] }
            return state.waiting
        }
    }
}
