/// Adds a `User-Agent` field that names your software, unless a request has the field.
///
/// Without it, transports name their engines. ``Call/addsDefaultHeaders`` turns it off for one call.
public struct UserAgentInterceptor: Interceptor {
    private let agent: HTTP.UserAgent

    /// Creates an interceptor.
    /// - Parameters:
    ///   - agent: The software. Building a pipeline fails with an invalid product.
    ///   - namesLibrary: Whether to add `InterceptorKit`, without its version, which servers don't need (RFC 9110
    ///     section 10.1.5). Defaults to `true`.
    public init(_ agent: HTTP.UserAgent, namesLibrary: Bool = true) {
        self.agent = namesLibrary ? agent.adding("InterceptorKit") : agent
    }

    public var placement: Placement? { .requestPreparation }

    public var keepsDeadline: Bool { true }

    public func validate() throws { try agent.validate() }

    public nonisolated(nonsending) func intercept(
        chain: InterceptorChain<HTTP.Request>
    ) async throws -> HTTP.Response {
        guard chain.call.addsDefaultHeaders else { return try await chain.proceed() }
        return try await chain.proceed { request in
            request.headers.setIfAbsent(name: "User-Agent", value: agent.description)
        }
    }
}
