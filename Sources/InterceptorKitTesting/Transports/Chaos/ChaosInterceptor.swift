public import InterceptorKit

/// Injects faults where a chain ends, in place of the network's.
///
/// The same as ``ChaosTransport``, for a chain whose transport stays as it is: put it last, so that
/// what handles the network's faults handles these. Building a pipeline checks the rates.
public struct ChaosInterceptor<Input: Interceptable>: Interceptor {
    private let plan: ChaosPlan<Input>

    /// Creates an interceptor.
    /// - Parameter faults: What is injected, and how often.
    public init(_ faults: [ChaosFault<Input>]) { plan = ChaosPlan(faults) }

    /// In the standard order: innermost.
    public var placement: Placement? { .chaos }

    public func validate() throws { try plan.validate() }

    public nonisolated(nonsending) func intercept(
        chain: InterceptorChain<Input>
    ) async throws -> Input.Output {
        try await plan.send(chain.input, call: chain.call, from: "ChaosInterceptor") { input in
            try await chain.proceed(input)
        }
    }
}
