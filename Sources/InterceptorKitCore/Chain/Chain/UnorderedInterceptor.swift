/// An interceptor that is deliberately exempt from the order check.
package struct UnorderedInterceptor<Base: Interceptor>: Interceptor {
    package let base: Base
    private let reason: String

    init(_ base: Base, reason: String) {
        self.base = base
        self.reason = reason
    }

    package nonisolated(nonsending) func intercept(
        chain: InterceptorChain<Base.Input>
    ) async throws -> Base.Input.Output {
        try await base.intercept(chain: chain)
    }

    package var keepsDeadline: Bool { base.keepsDeadline }

    package func validate() throws {
        try base.validate()
    }

    package func validate(among interceptors: [any Interceptor<Input>]) throws {
        try base.validate(among: interceptors)
    }
}

extension UnorderedInterceptor: CustomStringConvertible {
    package var description: String { "\(displayName(of: base)), unordered because \(reason)" }
}

extension Interceptor {
    /// Exempts this interceptor from the order check, which descriptions show.
    /// - Parameter reason: The reason for its place, shown in the pipeline's description.
    public func unordered(because reason: String) -> some Interceptor<Input> {
        UnorderedInterceptor(self, reason: reason)
    }
}
