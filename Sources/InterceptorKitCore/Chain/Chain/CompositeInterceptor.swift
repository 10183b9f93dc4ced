/// A container: an ordered group of interceptors that is itself an interceptor.
///
/// Containers can be nested, named and conditional. A ``Pipeline`` flattens them: a container costs nothing, and a
/// condition costs one stage.
///
/// ```swift
/// CompositeInterceptor(
///     "partner",
///     when: { request, _ in request.url.host == "partner.example" }
/// ) {
///     TokenInterceptor(source: partner, origins: ["https://partner.example"])
///     SignInterceptor(.hmacSHA256(keyID: "p-1", secret: secret))
/// }
/// ```
public struct CompositeInterceptor<Input: Interceptable>: Interceptor {
    private let content: InterceptorGroup<Input>

    /// Creates a container.
    /// - Parameters:
    ///   - name: The name shown in descriptions. Defaults to none.
    ///   - condition: Whether the members run for a pass. Defaults to always.
    ///   - interceptors: The members, outermost first.
    public init(
        _ name: String? = nil,
        when condition: InterceptorGroup<Input>.Condition? = nil,
        @InterceptorBuilder<Input> _ interceptors: () throws -> [any Interceptor<Input>]
    ) rethrows {
        content = try InterceptorGroup(name: name, interceptors(), when: condition)
    }

    /// Creates a container from a list.
    /// - Parameters:
    ///   - name: The name shown in descriptions. Defaults to none.
    ///   - interceptors: The members, outermost first.
    ///   - condition: Whether the members run for a pass. Defaults to always.
    public init(
        _ name: String? = nil,
        _ interceptors: [any Interceptor<Input>],
        when condition: InterceptorGroup<Input>.Condition? = nil
    ) {
        content = InterceptorGroup(name: name, interceptors, when: condition)
    }

    public var group: InterceptorGroup<Input>? { content }

    // Runs only outside a pipeline, for example when another interceptor calls its members itself.
    public nonisolated(nonsending) func intercept(
        chain: InterceptorChain<Input>
    ) async throws -> Input.Output {
        if let condition = content.condition, !condition(chain.input, chain.call) {
            return try await chain.proceed()
        }
        let rest = Continuation(chain: chain)
        var inner = InterceptorChain(input: chain.input, call: chain.call, transport: rest)
        for member in content.members { inner = inner.add(interceptor: AnyInterceptor(member)) }
        return try await inner.proceed()
    }
}

/// The rest of a chain, as the transport of another chain.
private struct Continuation<Input: Interceptable>: Transport {
    let chain: InterceptorChain<Input>

    nonisolated(nonsending) func send(_ input: Input, call: Call) async throws -> Input.Output {
        try await chain.proceed(input, call: call)
    }
}
