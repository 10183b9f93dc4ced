public import InterceptorKit

/// An active health check by which a ``LoadBalancer`` tests its endpoints.
public struct HealthCheck: Sendable {
    /// The path to request, below each endpoint's base URL.
    public var path: HTTP.URL
    /// The time between two checks of an endpoint. Defaults to 2 s, as in HAProxy.
    public var interval: Duration = .seconds(2)
    /// The longest time for a response. Defaults to 2 s.
    public var timeout: Duration = .seconds(2)
    /// The number of consecutive failed checks after which an endpoint gets no requests. Defaults to 3, as in HAProxy.
    public var fall = 3
    /// The number of consecutive passed checks after which it gets requests again. Defaults to 2, as in HAProxy.
    public var rise = 2
    /// Returns whether a response passes. Defaults to the statuses 200 to 399, as in HAProxy.
    public var accepts: @Sendable (_ response: HTTP.Response) -> Bool = { $0.status.code < 400 }

    /// Creates a check with the default numbers.
    /// - Parameter path: The path to request, such as `/health`.
    public init(_ path: HTTP.URL) { self.path = path }

    /// Throws if a value is invalid.
    public func validate() throws {
        let check = SettingCheck(of: "HealthCheck")
        try check.require(
            path.isRelative,
            "path",
            "\(path)",
            "a path below the endpoints' base URLs"
        )
        try check.positive("interval", interval)
        try check.positive("timeout", timeout)
        try check.positive("fall", fall)
        try check.positive("rise", rise)
    }
}

extension LoadBalancer {
    /// Checks all endpoints until the task is cancelled. A failing endpoint gets no requests until it passes again.
    ///
    /// Run it concurrently with your work, for example in a task group, and with the client's transport, so that checks
    /// take the same path as requests. Endpoints are checked in parallel, each for the first time at once.
    /// - Parameters:
    ///   - check: The health check.
    ///   - transport: The transport that sends the checks.
    ///   - runtime: The clock. Defaults to the live runtime.
    ///   - events: The sink for events of changed health. Defaults to none.
    /// - Throws: `CancellationError` if the task is cancelled; a ``LoadBalancingError`` or `SettingError` for an
    ///   invalid check.
    public func checkHealth(
        by check: HealthCheck,
        over transport: some Transport<HTTP.Request>,
        runtime: Runtime = .live,
        events: (any EventSink)? = nil
    ) async throws {
        try check.validate()
        var counts: [ServiceEndpoint: HealthCount] = [:]
        while true {
            let members = members
            let next = runtime.now.advanced(by: check.interval)
            let passed = await withTaskGroup(of: (ServiceEndpoint, Bool).self) { group in
                for endpoint in members.map(\.endpoint) {
                    let call = Call(runtime: runtime, events: events)
                        .withDeadline(within: check.timeout)
                    group.addTask {
                        (endpoint, await check.passes(at: endpoint, over: transport, call))
                    }
                }
                return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
            }
            try Task.checkCancellation()
            var counted: [ServiceEndpoint: HealthCount] = [:]
            for member in members {
                guard let passed = passed[member.endpoint] else { continue }
                var count = counts[member.endpoint] ?? HealthCount()
                if let isDown = count.add(passed, check) {
                    setDown(isDown, member, Call(runtime: runtime, events: events))
                }
                counted[member.endpoint] = count
            }
            counts = counted
            try await runtime.sleep(until: next)
        }
    }

    private func setDown(_ isDown: Bool, _ member: Member, _ call: Call) {
        guard let change = member.setDown(isDown, at: call.runtime.now) else { return }
        healthChanged()
        call.emit(change.eventName, from: "LoadBalancer", change.attributes(of: member.endpoint))
    }
}

/// The number of consecutive checks of an endpoint with the same result.
struct HealthCount {
    private var passed = 0
    private var failed = 0

    /// Counts a result.
    /// - Returns: Whether the endpoint is down; `nil` if there are too few results to decide.
    mutating func add(_ isPassed: Bool, _ check: HealthCheck) -> Bool? {
        passed = isPassed ? min(passed + 1, check.rise) : 0
        failed = isPassed ? 0 : min(failed + 1, check.fall)
        if failed >= check.fall { return true }
        return passed >= check.rise ? false : nil
    }
}

extension HealthCheck {
    fileprivate func passes(
        at endpoint: ServiceEndpoint,
        over transport: some Transport<HTTP.Request>,
        _ call: Call
    ) async -> Bool {
        guard let url = try? path.completed(by: endpoint.url) else { return false }
        var call = call
        call.connectAddress = endpoint.address
        guard let response = try? await transport.send(.get(url), call: call) else { return false }
        let isAccepted = accepts(response)
        await response.discard(on: call.runtime)
        return isAccepted
    }
}
