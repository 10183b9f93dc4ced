public import InterceptorKit

/// Passes any input on: an interceptor as libraries ship them, its body compiled once for all
/// inputs.
public struct Generic<Input: Interceptable>: Interceptor {
    public init() {}

    public func intercept(chain: InterceptorChain<Input>) async throws -> Input.Output {
        try await chain.proceed()
    }
}
