/// Takes over, on the serving side, how much time the caller still has: a nearer deadline for all below.
///
/// ```swift
/// CallerDeadlineInterceptor(.milliseconds("X-Request-Timeout-Ms"), atMost: .seconds(30))
/// TimeoutInterceptor(total: .seconds(30))
/// ```
///
/// A `TimeoutInterceptor` below ends what takes longer, and a ``ServedCallInterceptor`` in the clients of
/// those who answer gives their calls no more time either: nobody works for a caller who has gone.
///
/// What a caller says is believed up to the bound, and not at all where it is malformed or said twice;
/// then, as without a word, the bound itself is the time.
public struct CallerDeadlineInterceptor: Interceptor {
    private let field: TimeoutField
    private let bound: Duration

    /// Creates an interceptor.
    /// - Parameters:
    ///   - field: Where callers say how much time they have.
    ///   - bound: The most that is believed, and what callers have who say nothing. Defaults to 30 s, as
    ///     `TimeoutInterceptor`.
    public init(_ field: TimeoutField, atMost bound: Duration = .seconds(30)) {
        self.field = field
        self.bound = bound
    }

    public var placement: Placement? { .callerDeadline }

    public func validate() throws { try field.validate() }

    public nonisolated(nonsending) func intercept(
        chain: InterceptorChain<HTTP.Request>
    ) async throws -> HTTP.Response {
        let said = field.time(in: chain.input.headers)
        let call = chain.call.withDeadline(within: min(said ?? bound, max(bound, .zero)))
        return try await chain.proceed(chain.input, call: call)
    }
}

extension CallerDeadlineInterceptor: CustomStringConvertible {
    /// As in `CallerDeadlineInterceptor(X-Request-Timeout-Ms, at most 30 s)`.
    public var description: String {
        "CallerDeadlineInterceptor(\(field.name), at most \(bound.formattedSeconds))"
    }
}
