#if ServiceLifecycle
public import ServiceLifecycle

/// Runs work that continues until it is cancelled, such as watching endpoints, until a service group shuts down.
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
/// Graceful shutdown cancels the work, and the service ends without an error. If the work returns earlier, for example
/// because a source of endpoints has no more sets, the service continues until the shutdown, because a service group
/// shuts down when a service ends. If the work throws earlier, so does the service.
///
/// List it after the client that uses its results and before the server; see ``ClientService``.
public struct BackgroundService: Service {
    /// The name, for the group's log.
    public let name: String
    private let work: @Sendable () async throws -> Void

    /// Creates a service.
    /// - Parameters:
    ///   - name: The name, for the group's log.
    ///   - work: The work, which continues until its task is cancelled.
    public init(_ name: String, _ work: @escaping @Sendable () async throws -> Void) {
        self.name = name
        self.work = work
    }

    /// Runs the work until the shutdown.
    /// - Throws: The error that the work throws before it is cancelled.
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
            // The error of a cancelled loop carries no information.
            while await group.nextResult() != nil {}
        }
        try Task.checkCancellation()
    }
}

extension BackgroundService: CustomStringConvertible {
    /// The type and the name.
    public var description: String { "BackgroundService(\(name))" }
}
#endif
