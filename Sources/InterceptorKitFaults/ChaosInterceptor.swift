public import InterceptorKit

/// Injects simulated network faults at the end of a chain.
///
/// It does the same as ``ChaosTransport``, for a chain that keeps its transport. Put it last, so that
/// interceptors that handle network faults handle these. Building a pipeline checks the rates.
public struct ChaosInterceptor<Input: Interceptable>: Interceptor {
    private let plan: ChaosPlan<Input>

    /// Creates an interceptor.
    /// - Parameter faults: The faults and their rates.
    public init(_ faults: [ChaosFault<Input>]) { plan = ChaosPlan(faults) }

    /// The innermost stage of the standard order.
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
