#if Tracing
public import InterceptorKit
public import Tracing

/// Records one span for a call, the parent of its attempts' spans and of all others recorded within it.
///
/// ```swift
/// let api = try HTTP.Client(transport: transport) {
///     CallTracingInterceptor(tracer: tracer)
///     RetryInterceptor(policy: .standard)
///     AttemptTracingInterceptor(tracer: tracer)
///     SignInterceptor(.hmacSHA256(keyID: "app-1", secret: secret))
/// }
/// ```
///
/// Its kind is `internal`, because a call is not a send: the number of `client` spans is the number of sends. It begins
/// before any wait, and ends with the response's head or the caller's error. Its parent is the call's `serviceContext`,
/// or else that of the caller's task, or else the one in the request's fields and `Call.traceContext`.
public struct CallTracingInterceptor: Interceptor {
    private let recorder: SpanRecorder

    /// Creates an interceptor.
    /// - Parameters:
    ///   - tracer: The tracer. Defaults to the process's at the time of a call.
    ///   - redaction: The redaction for URLs and errors. Defaults to `Redaction.standard`.
    ///   - recordsEndUser: Whether the span has the caller's id, as `enduser.id`: that of `Call.principal`, or of the
    ///     call that is served. Defaults to `false`, because it is personal data where callers are people.
    public init(
        tracer: (any Tracer)? = nil,
        redaction: Redaction = .standard,
        recordsEndUser: Bool = false
    ) {
        recorder = SpanRecorder(
            tracer: tracer,
            redaction: redaction,
            kind: .internal,
            recordsEndUser: recordsEndUser
        )
    }

    public var placement: Placement? { .callTelemetry }

    public nonisolated(nonsending) func intercept(
        chain: InterceptorChain<HTTP.Request>
    ) async throws -> HTTP.Response {
        var call = chain.call
        call.sendCount = SendCount()
        return try await recorder.span(of: chain.input, call).pass(chain, chain.input, call)
    }
}
#endif
