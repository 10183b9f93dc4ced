public import InterceptorKit

/// Injects faults into calls of a running service, to see how it copes: Envoy's fault filter and Polly's chaos
/// strategies, as an interceptor.
///
/// ```swift
/// let faults = FaultSwitch()
/// let api = try HTTP.Client(transport: transport) {
///     RetryInterceptor(policy: .standard)
///     FaultInjectionInterceptor(
///         [.status(503, rate: 0.05), .latency(rate: 0.1, .milliseconds(500))],
///         switch: faults,
///         header: ("X-Experiment", "brown-out")
///     )
/// }
/// faults.turnOn(for: .seconds(600))
/// ```
///
/// Nothing happens until the switch is turned on, and nothing after its time is over; a call then passes with one
/// look at the switch. With a header, only requests that have it meet faults, such as those of a test account. The
/// field is sent on, so that services behind can take part.
///
/// For tests, use ``ChaosInterceptor``, which has no switch. Each injection is an event, `chaos.injected`.
public struct FaultInjectionInterceptor: Interceptor {
    private let plan: ChaosPlan<HTTP.Request>
    private let faultSwitch: FaultSwitch
    private let header: (name: String, value: String)?

    /// Creates an interceptor.
    /// - Parameters:
    ///   - faults: The faults and their rates. At most one besides latency hits a call, so the rates of the others
    ///     add up to 1 at most.
    ///   - switch: Turns the faults on.
    ///   - header: The name and the value of the field of requests that meet faults. Defaults to none: all do.
    public init(
        _ faults: [ChaosFault<HTTP.Request>],
        switch: FaultSwitch,
        header: (name: String, value: String)? = nil
    ) {
        plan = ChaosPlan(faults)
        faultSwitch = `switch`
        self.header = header
    }

    /// The innermost stage of the standard order.
    public var placement: Placement? { .chaos }

    public func validate() throws { try plan.validate() }

    public nonisolated(nonsending) func intercept(
        chain: InterceptorChain<HTTP.Request>
    ) async throws -> HTTP.Response {
        guard faultSwitch.isOn(on: chain.call.runtime), isTarget(chain.input) else {
            return try await chain.proceed()
        }
        return try await plan.send(chain.input, call: chain.call, from: "FaultInjectionInterceptor")
        {
            try await chain.proceed($0)
        }
    }

    private func isTarget(_ request: HTTP.Request) -> Bool {
        header.map { request.headers.values($0.name).contains($0.value) } ?? true
    }
}
