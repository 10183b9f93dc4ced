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
/// 1. no retry and no hedge is begun any more (``RetrySwitch``);
/// 2. calls, uploads, downloads and bodies under way may end within the grace period, and so may calls that begin in
///    it;
/// 3. what is left is cancelled, and its callers get a `CancellationError`;
/// 4. the transport is closed, so that later calls fail.
///
/// If the group is cancelled instead, the grace period is skipped or ends.
///
/// A group shuts its services down in reverse order, each when the one after it has ended. List a client before the
/// services that use it, such as the server; those then end first, with a client that works.
public struct ClientService: Service {
    // A client tells nobody that its last call has ended, and a body that was given up ends without a word.
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
    ///   - client: The client. One made with `tracksCalls: false` doesn't count its calls, so they are not waited
    ///     for.
    ///   - retries: The switch for its retries and hedges. Defaults to none: they go on within the grace period.
    ///   - gracePeriod: How long calls under way may last. Defaults to 20 s, which leaves a third of the 30 s after
    ///     which Kubernetes kills a pod (terminationGracePeriodSeconds).
    ///   - runtime: The clock. Defaults to the client's.
    ///   - events: Receives `shutdown.began` and `shutdown.ended`. Defaults to nothing.
    ///   - close: Closes the client's transport, as in `{ transport.close() }`. Defaults to nothing.
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

    /// Creates a service for anything that has calls, such as several clients over one transport.
    /// - Parameters:
    ///   - openWork: How many calls and bodies there are now.
    ///   - cancelAll: Cancels all of them.
    ///   - retries: The switch for retries and hedges. Defaults to none: they go on within the grace period.
    ///   - gracePeriod: How long calls under way may last. Defaults to 20 s.
    ///   - runtime: The clock. Defaults to the live runtime.
    ///   - events: Receives `shutdown.began` and `shutdown.ended`. Defaults to nothing.
    ///   - close: Closes the transport. Defaults to nothing.
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
    /// The tasks of calls are those of their callers; the service only waits, and starts none.
    /// - Throws: A `SettingError` at once if the grace period isn't valid.
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
    /// A client is shutting down: `open`, the calls and bodies that may still end.
    public static let shutdownBegan: Self = "shutdown.began"
    /// A client has shut down: `cancelled`, the calls and bodies that did not end in time.
    public static let shutdownEnded: Self = "shutdown.ended"
}
#endif
