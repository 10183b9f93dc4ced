/// An interceptor that is deliberately exempt from the order check.
public struct UnorderedInterceptor<Base: Interceptor>: Interceptor {
    package let base: Base
    private let reason: String

    init(_ base: Base, reason: String) {
        self.base = base
        self.reason = reason
    }

    public nonisolated(nonsending) func intercept(
        chain: InterceptorChain<Base.Input>
    ) async throws -> Base.Input.Output {
        try await base.intercept(chain: chain)
    }

    public func validate() throws {
        try base.validate()
    }

    public func validate(among interceptors: [any Interceptor<Input>]) throws {
        try base.validate(among: interceptors)
    }
}

extension UnorderedInterceptor: CustomStringConvertible {
    public var description: String { "\(displayName(of: base)), unordered because \(reason)" }
}

extension Interceptor {
    /// Exempts this interceptor from the order check, which descriptions show.
    /// - Parameter reason: The reason for its place, shown in the pipeline's description.
    public func unordered(because reason: String) -> UnorderedInterceptor<Self> {
        UnorderedInterceptor(self, reason: reason)
    }
}
