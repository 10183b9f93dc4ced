#if ServiceLifecycle
public import ServiceLifecycle

/// Runs something that goes on until it is cancelled, such as watched endpoints, until a service group shuts down.
///
/// ```swift
/// let watch = BackgroundService("endpoints of orders") {
///     try await balancer.follow(sets)
/// }
/// let checks = BackgroundService("health of orders") {
///     try await balancer.checkHealth(by: check, over: transport)
/// }
/// ```
///
/// Graceful shutdown cancels it, and it then ends without an error. If it ends before, as a source of endpoints
/// that has no more sets, the service stays until the shutdown, because a service group shuts down with its first
/// service. If it throws before, so does the service.
///
/// List it after the client that uses what it watches and before the server; see ``ClientService``.
public struct BackgroundService: Service {
    /// The name, for the group's log.
    public let name: String
    private let work: @Sendable () async throws -> Void

    /// Creates a service.
    /// - Parameters:
    ///   - name: The name, for the group's log.
    ///   - work: Goes on until its task is cancelled.
    public init(_ name: String, _ work: @escaping @Sendable () async throws -> Void) {
        self.name = name
        self.work = work
    }

    /// Runs the work until the shutdown.
    /// - Throws: What the work throws before it is cancelled.
    public func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            let work = work
            group.addTask {
                try await work()
                await shutdown()
            }
            group.addTask { await shutdown() }
            try await group.next()
            group.cancelAll()
            // What a cancelled loop throws says nothing.
            while await group.nextResult() != nil {}
        }
        try Task.checkCancellation()
    }
}

extension BackgroundService: CustomStringConvertible {
    /// The name.
    public var description: String { "BackgroundService(\(name))" }
}
#endif
