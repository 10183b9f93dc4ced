public import InterceptorKit

/// Injects faults into calls, in tests or in a running service to test its resilience, like Envoy's fault filter and
/// Polly's chaos strategies.
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
/// With a switch, faults happen only while it is on; otherwise a call costs one check of the switch. With a header,
/// only requests that have the field meet faults, such as those of a test account; the field is sent on, so that
/// further services can take part. With neither, as in a test, each send meets the faults at their rates:
///
/// ```swift
/// try simulate(seeds: 0..<1_000) { simulation in
///     let client = try HTTP.Client(transport: service, runtime: simulation.runtime) {
///         RetryInterceptor(policy: .standard)
///         FaultInjectionInterceptor([.reset(rate: 0.1), .refused(rate: 0.1)])
///     }
///     _ = try await client.send(.get("https://api.example.com/orders"))
/// }
/// ```
///
/// For each send, each latency is drawn separately; at most one other fault is injected, so their rates must not add up
/// to more than 1: otherwise building a pipeline throws a `SettingError`. Time and randomness come from the call's
/// runtime: in a simulation, the seed determines which sends fail, and replays them. Each injection is an event,
/// `chaos.injected`, with the fault's name. With all rates 0, nothing is drawn, delayed or reported.
///
/// Put it last, so that the interceptors that handle network faults see these faults.
public struct FaultInjectionInterceptor<Input: Interceptable>: Interceptor {
    private let plan: ChaosPlan<Input>
    private let faultSwitch: FaultSwitch?
    private let isTarget: @Sendable (Input) -> Bool

    /// Creates an interceptor.
    /// - Parameters:
    ///   - faults: The faults and their rates.
    ///   - switch: The switch that turns the faults on. Defaults to none: they are always on.
    public init(_ faults: [ChaosFault<Input>], switch: FaultSwitch? = nil) {
        self.init(faults, `switch`) { _ in true }
    }

    private init(
        _ faults: [ChaosFault<Input>],
        _ faultSwitch: FaultSwitch?,
        isTarget: @escaping @Sendable (Input) -> Bool
    ) {
        plan = ChaosPlan(faults)
        self.faultSwitch = faultSwitch
        self.isTarget = isTarget
    }

    /// The innermost stage of the standard order.
    public var placement: Placement? { .chaos }

    public func validate() throws { try plan.validate() }

    public nonisolated(nonsending) func intercept(
        chain: InterceptorChain<Input>
    ) async throws -> Input.Output {
        let isOn = faultSwitch?.isOn(on: chain.call.runtime) ?? true
        guard isOn, isTarget(chain.input) else { return try await chain.proceed() }
        return try await plan.send(chain.input, call: chain.call) { try await chain.proceed($0) }
    }
}

extension FaultInjectionInterceptor<HTTP.Request> {
    /// Creates an interceptor for requests with a header field.
    /// - Parameters:
    ///   - faults: The faults and their rates.
    ///   - switch: The switch that turns the faults on. Defaults to none: they are always on.
    ///   - header: The name and value of the field of requests that meet faults; `nil` for all requests.
    public init(
        _ faults: [ChaosFault<HTTP.Request>],
        switch: FaultSwitch? = nil,
        header: (name: String, value: String)?
    ) {
        self.init(faults, `switch`) { request in
            header.map { request.headers.values($0.name).contains($0.value) } ?? true
        }
    }
}
