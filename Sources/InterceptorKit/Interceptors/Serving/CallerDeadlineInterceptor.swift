/// Turns the caller's remaining time on a server into a nearer deadline for the stages below.
///
/// ```swift
/// CallerDeadlineInterceptor(.milliseconds("X-Request-Timeout-Ms"), atMost: .seconds(30))
/// TimeoutInterceptor(total: .seconds(30))
/// ```
///
/// A `TimeoutInterceptor` below ends longer work, and a ``ServedCallInterceptor`` in the clients of your handlers gives
/// their calls no more time either, so no work continues for a caller that has gone.
///
/// The caller's time counts up to the bound. If the field is missing, malformed or repeated, the bound itself counts.
public struct CallerDeadlineInterceptor: Interceptor {
    private let field: HTTP.TimeoutField
    private let bound: Duration

    /// Creates an interceptor.
    /// - Parameters:
    ///   - field: The field with the caller's remaining time.
    ///   - bound: The largest time that counts, and the time for callers without the field. Defaults to 30 s, as in
    ///     `TimeoutInterceptor`.
    public init(_ field: HTTP.TimeoutField, atMost bound: Duration = .seconds(30)) {
        self.field = field
        self.bound = bound
    }

    public var placement: Placement? { .callerDeadline }

    public func validate() throws { try field.validate() }

    public nonisolated(nonsending) func intercept(
        chain: InterceptorChain<HTTP.Request>
    ) async throws -> HTTP.Response {
        let requested = field.time(in: chain.input.headers)
        let call = chain.call.withDeadline(within: min(requested ?? bound, max(bound, .zero)))
        return try await chain.proceed(chain.input, call: call)
    }
}

extension CallerDeadlineInterceptor: CustomStringConvertible {
    /// The interceptor as text, as in `CallerDeadlineInterceptor(X-Request-Timeout-Ms, at most 30 s)`.
    public var description: String {
        "CallerDeadlineInterceptor(\(field.name), at most \(bound.formattedSeconds))"
    }
}
