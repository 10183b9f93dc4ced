public import InterceptorKit

/// A transport to simulated servers, each of which has a behavior that may change over time.
///
/// ```swift
/// let servers = SimulatedServers(["https://a.example", "https://b.example", "https://c.example"])
///     .changing("https://b.example", to: .refuses, at: .seconds(3))
/// let client = try HTTP.Client.standard(
///     endpoints: endpoints,
///     transport: servers,
///     runtime: runtime
/// )
/// ```
///
/// Use it in a ``Simulation`` to see how a chain copes with servers that die, become slow, or never respond. A request
/// for any other origin fails as a name that isn't found.
public struct SimulatedServers: Transport {
    /// The reaction of a server to a request.
    public enum Behavior: Sendable {
        /// Responds after a time.
        case answers(HTTP.Status = 200, headers: HTTP.Headers = [:], after: Duration)
        /// Responds after a random time up to a limit.
        case answersWithin(Duration)
        /// Refuses connections, as if the process were gone.
        case refuses
        /// Accepts requests and never responds.
        case neverAnswers
    }

    private struct Change {
        var origin: HTTP.Origin
        var start: Duration
        var behavior: Behavior
    }

    private var changes: [Change] = []

    /// Creates servers.
    /// - Parameters:
    ///   - origins: The origins of the servers.
    ///   - behavior: The behavior of all servers. Defaults to responding with 200 after 10 ms.
    public init(
        _ origins: [HTTP.Origin],
        _ behavior: Behavior = .answers(after: .milliseconds(10))
    ) {
        changes = origins.map { Change(origin: $0, start: .zero, behavior: behavior) }
    }

    /// Returns the servers with another behavior of one of them from a time on.
    /// - Parameters:
    ///   - origin: The origin of the server.
    ///   - behavior: The new behavior.
    ///   - start: The time of the change, on the runtime's clock. Defaults to zero.
    public func changing(
        _ origin: HTTP.Origin,
        to behavior: Behavior,
        at start: Duration = .zero
    ) -> SimulatedServers {
        var servers = self
        servers.changes.append(Change(origin: origin, start: start, behavior: behavior))
        return servers
    }

    public nonisolated(nonsending) func send(
        _ request: HTTP.Request,
        call: Call
    ) async throws -> HTTP.Response {
        let runtime = call.runtime
        let now = runtime.now.offset
        // The latest change that has begun; of two that begin together, the one that was added last.
        let change = changes.filter { $0.origin == request.url.origin && $0.start <= now }
            .enumerated().max { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }
        let origin = request.url.originText ?? "\(request.url)"
        switch change?.element.behavior {
        case .answers(let status, let headers, let delay):
            try await runtime.sleep(for: delay)
            return HTTP.Response(status, headers: headers, request: request)
        case .answersWithin(let longest):
            try await runtime.sleep(for: longest * runtime.randomFraction())
            return HTTP.Response(200, request: request)
        case .refuses:
            throw TransportError(.cannotConnect, "\(origin) refuses connections.", isUnsent: true)
        case .neverAnswers:
            try await runtime.sleep(until: call.deadline ?? .init(offset: SettingCheck.longest))
            throw TransportError(.timedOut, "\(origin) did not answer in time.")
        case nil:
            throw TransportError(.nameNotResolved, "There is no server at \(origin).")
        }
    }
}
