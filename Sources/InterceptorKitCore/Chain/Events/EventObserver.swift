/// An event sink that passes events to a closure, one at a time and in order, off the path of the calls.
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
/// The closure may be slow and may throw. Its queue is bounded; when it is full, new events are dropped. An error of
/// the closure is counted, and delivery goes on. The task that runs the closure exists only while there are events to
/// deliver.
public final class EventObserver: EventSink {
    private let delivery: OrderedDelivery<Event>

    /// Creates an observer.
    /// - Parameters:
    ///   - limit: The number of events that may wait for the closure. Defaults to 1,024.
    ///   - runtime: The runtime that starts the delivering task. Defaults to the live runtime.
    ///   - observe: Handles an event.
    public init(
        buffering limit: Int = 1024,
        runtime: Runtime = .live,
        _ observe: @escaping @Sendable (_ event: Event) async throws -> Void
    ) {
        delivery = OrderedDelivery("event delivery", buffering: limit, on: runtime, observe)
    }

    /// The number of events dropped because the closure was too slow.
    public var missed: Int { delivery.counts.missed }

    /// The number of times that the closure threw.
    public var failures: Int { delivery.counts.failures }

    public func record(_ event: Event) { delivery.add(event) }

    /// Waits until all events recorded so far have been delivered.
    public func flush() async { await delivery.flush() }
}
