public import InterceptorKit

/// A transport with network faults at given rates.
///
/// ```swift
/// try simulate(seeds: 0..<1_000) { simulation in
///     let network = try ChaosTransport(over: service, [.reset(rate: 0.1), .refused(rate: 0.1)])
///     let client = try HTTP.Client(transport: network, runtime: simulation.runtime) {
///         RetryInterceptor(policy: .standard)
///     }
///     _ = try await client.send(.get("https://api.example.com/orders"))
/// }
/// ```
///
/// For each send, each latency is drawn separately; at most one other fault is injected, so their rates must
/// not add up to more than 1. Time and randomness come from the call's runtime: in a simulation, the seed
/// decides and replays which sends fail. Each injection is an event, `chaos.injected`, with the fault's name.
///
/// With all rates 0, this behaves like the transport below: nothing is drawn, delayed or reported.
///
/// To add faults to an existing chain, use ``ChaosInterceptor``, which does the same.
public struct ChaosTransport<Input: Interceptable>: Transport {
    private let base: any Transport<Input>
    private let plan: ChaosPlan<Input>

    /// Creates a transport.
    /// - Parameters:
    ///   - base: The transport that sends.
    ///   - faults: The faults and their rates.
    /// - Throws: `SettingError` if a rate is outside 0...1, the rates of faults that exclude each other add
    ///   up to more than 1, or a duration is negative; it names the fault.
    public init(
        over base: any Transport<Input>,
        _ faults: [ChaosFault<Input>]
    ) throws(SettingError) {
        self.base = base
        plan = ChaosPlan(faults)
        try plan.validate()
    }

    public nonisolated(nonsending) func send(
        _ input: Input,
        call: Call
    ) async throws -> Input.Output {
        try await plan.send(input, call: call, from: "ChaosTransport") { input in
            try await base.send(input, call: call)
        }
    }
}
