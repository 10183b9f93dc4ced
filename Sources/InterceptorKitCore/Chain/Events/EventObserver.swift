/// Hands each event to a closure, one after the other and in order, off the path of the calls.
///
/// ```swift
/// let api = try HTTP.Client(
///     transport: transport,
///     events: EventObserver { event in try await journal.append(event) }
/// ) {
///     RetryInterceptor(policy: .standard)
/// }
/// ```
///
/// The closure may take its time and may throw: what waits for it is bounded, so that the newest events
/// are dropped when it is too slow, and an error is counted and ends nothing. It runs in a task that
/// exists while there is something to deliver.
public final class EventObserver: EventSink {
    private let delivery: OrderedDelivery<Event>

    /// Creates an observer.
    /// - Parameters:
    ///   - limit: How many events may wait for the closure. Defaults to 1,024.
    ///   - runtime: Runs the task that delivers. Defaults to the live runtime.
    ///   - observe: Is given each event.
    public init(
        buffering limit: Int = 1024,
        runtime: Runtime = .live,
        _ observe: @escaping @Sendable (_ event: Event) async throws -> Void
    ) {
        delivery = OrderedDelivery("event delivery", buffering: limit, on: runtime, observe)
    }

    /// How many events were dropped because the closure was too slow.
    public var missed: Int { delivery.counts.missed }

    /// How many times the closure threw.
    public var failures: Int { delivery.counts.failures }

    public func record(_ event: Event) { delivery.add(event) }

    /// Returns when what was reported so far has been delivered.
    public func flush() async { await delivery.flush() }
}
