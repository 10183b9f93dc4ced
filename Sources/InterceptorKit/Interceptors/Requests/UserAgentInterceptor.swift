/// Says in a `User-Agent` field which software sends, unless a request says it itself.
///
/// Without it, transports say what their engines are. ``Call/addsDefaultHeaders`` leaves it out for one
/// call.
public struct UserAgentInterceptor: Interceptor {
    private let agent: HTTP.UserAgent

    /// Creates an interceptor.
    /// - Parameters:
    ///   - agent: The software. A value that isn't a product fails when a pipeline is built.
    ///   - namesLibrary: Whether `InterceptorKit` is named behind it, without its version, which would tell
    ///     more than servers need (RFC 9110 section 10.1.5). Defaults to `true`.
    public init(_ agent: HTTP.UserAgent, namesLibrary: Bool = true) {
        self.agent = namesLibrary ? agent.adding("InterceptorKit") : agent
    }

    public var placement: Placement? { .requestPreparation }

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
