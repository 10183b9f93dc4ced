public import InterceptorKit

/// A transport that is as bad as networks are, at stated rates.
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
/// For each send, each latency is drawn for itself; of all other faults, at most one is injected, so
/// their rates must not be more than 1 together. Time and randomness come from the call's runtime: in a
/// simulation the seed decides, and replays, what fails. Each injection is an event,
/// `chaos.injected`, with the fault's name.
///
/// With all rates 0 this is the transport below it: nothing is drawn, waited for or reported.
///
/// To put faults into a chain that exists, use ``ChaosInterceptor``, which is the same.
public struct ChaosTransport<Input: Interceptable>: Transport {
    private let base: any Transport<Input>
    private let plan: ChaosPlan<Input>

    /// Creates a transport.
    /// - Parameters:
    ///   - base: What sends.
    ///   - faults: What is injected, and how often.
    /// - Throws: ``ChaosError`` if a rate is outside 0...1, the rates of faults that exclude each
    ///   other are more than 1 together, or a duration is negative; it names the fault.
    public init(
        over base: any Transport<Input>,
        _ faults: [ChaosFault<Input>]
    ) throws(ChaosError) {
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
