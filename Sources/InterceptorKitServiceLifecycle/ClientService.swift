#if ServiceLifecycle
public import InterceptorKit
public import ServiceLifecycle

/// Ends a client's calls, and closes its transport, when a service group shuts down.
///
/// ```swift
/// let client = ClientService(api, retries: retries) { transport.close() }
/// let group = ServiceGroup(
///     services: [client, server],
///     gracefulShutdownSignals: [.sigterm],
///     logger: logger
/// )
/// try await group.run()
/// ```
///
/// On graceful shutdown,
///
/// 1. no more retries and hedges begin (``RetrySwitch``);
/// 2. calls, uploads, downloads and bodies in flight, and calls that begin now, may end within the grace period;
/// 3. the rest is cancelled, and its callers get a `CancellationError`;
/// 4. the transport is closed, so that later calls fail.
///
/// If the group is cancelled instead, the grace period is skipped or cut short.
///
/// A group shuts its services down in reverse order, each when the next one in the list has ended. List a client before
/// the services that use it, such as the server, so that they end first while the client still works.
public struct ClientService: Service {
    // A client does not report the end of its last call, and a released body ends silently.
    private static let interval = Duration.milliseconds(20)

    private let openWork: @Sendable () -> Int
    private let cancelAll: @Sendable () -> Void
    private let retries: RetrySwitch?
    private let gracePeriod: Duration
    private let runtime: Runtime
    private let events: (any EventSink)?
    private let close: @Sendable () async -> Void

    /// Creates a service for a client.
    /// - Parameters:
    ///   - client: The client. One created with `tracksCalls: false` does not count its calls, so the service does not
    ///     wait for them.
    ///   - retries: The switch for the client's retries and hedges. Defaults to none: they continue within the grace
    ///     period.
    ///   - gracePeriod: The longest time for calls in flight. Defaults to 20 s, which leaves a third of the 30 s after
    ///     which Kubernetes kills a pod (terminationGracePeriodSeconds).
    ///   - runtime: The clock. Defaults to the client's.
    ///   - events: Receives `shutdown.began` and `shutdown.ended`. Defaults to none.
    ///   - close: Closes the client's transport, as in `{ transport.close() }`. Defaults to doing nothing.
    public init(
        _ client: HTTP.Client,
        retries: RetrySwitch? = nil,
        gracePeriod: Duration = .seconds(20),
        runtime: Runtime? = nil,
        events: (any EventSink)? = nil,
        close: @escaping @Sendable () async -> Void = {}
    ) {
        self.init(
            openWork: { client.openWork },
            cancelAll: { client.cancelAll() },
            retries: retries,
            gracePeriod: gracePeriod,
            runtime: runtime ?? client.runtime,
            events: events,
            close: close
        )
    }

    /// Creates a service for anything with calls, such as several clients over one transport.
    /// - Parameters:
    ///   - openWork: Returns the current number of calls and bodies.
    ///   - cancelAll: Cancels all of them.
    ///   - retries: The switch for retries and hedges. Defaults to none: they continue within the grace period.
    ///   - gracePeriod: The longest time for calls in flight. Defaults to 20 s.
    ///   - runtime: The clock. Defaults to the live runtime.
    ///   - events: Receives `shutdown.began` and `shutdown.ended`. Defaults to none.
    ///   - close: Closes the transport. Defaults to doing nothing.
    public init(
        openWork: @escaping @Sendable () -> Int,
        cancelAll: @escaping @Sendable () -> Void,
        retries: RetrySwitch? = nil,
        gracePeriod: Duration = .seconds(20),
        runtime: Runtime = .live,
        events: (any EventSink)? = nil,
        close: @escaping @Sendable () async -> Void = {}
    ) {
        self.openWork = openWork
        self.cancelAll = cancelAll
        self.retries = retries
        self.gracePeriod = gracePeriod
        self.runtime = runtime
        self.events = events
        self.close = close
    }

    /// Waits for the shutdown, ends the calls, and closes the transport.
    ///
    /// Calls run in the tasks of their callers; the service starts no task.
    /// - Throws: A `SettingError` at once if the grace period is negative.
    public func run() async throws {
        try SettingCheck(of: "ClientService").notNegative("gracePeriod", gracePeriod)
        await shutdown { retries?.turnOff() }
        let call = Call(runtime: runtime, events: events)
        call.emit(.shutdownBegan, from: "ClientService", ["open": .number(openWork())])
        await waitForCalls()
        let cancelled = openWork()
        cancelAll()
        await close()
        call.emit(.shutdownEnded, from: "ClientService", ["cancelled": .number(cancelled)])
    }

    private func waitForCalls() async {
        let end = runtime.now.advanced(by: gracePeriod)
        while openWork() > 0 {
            let left = runtime.now.duration(to: end)
            guard left > .zero else { return }
            do {
                try await runtime.sleep(for: min(left, Self.interval))
            } catch {
                return
            }
        }
    }
}

extension Event.Name {
    /// A client is shutting down: `open`, the number of calls and bodies that may still end.
    public static let shutdownBegan: Self = "shutdown.began"
    /// A client has shut down: `cancelled`, the number of calls and bodies that did not end in time.
    public static let shutdownEnded: Self = "shutdown.ended"
}
#endif
