#if Tracing
public import InterceptorKit
public import Tracing

/// Records one span for a call, which the spans of its attempts, and whatever else is recorded on the
/// way, are parts of.
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
/// Its kind is `internal`: a call is no send, and who counts spans of the kind `client` counts sends. It
/// begins before any wait and ends with the response's head or the error that the caller sees. Its parent
/// is the call's `serviceContext`, else the one of the caller's task, else what the request's own fields
/// and `Call.traceContext` say.
public struct CallTracingInterceptor: Interceptor {
    private let recorder: SpanRecorder

    /// Creates an interceptor.
    /// - Parameters:
    ///   - tracer: What records spans. Defaults to the process's, as it is when a call is made.
    ///   - redaction: Decides what may be shown of URLs and errors. Defaults to the standard rule.
    public init(tracer: (any Tracer)? = nil, redaction: Redaction = .standard) {
        recorder = SpanRecorder(tracer: tracer, redaction: redaction, kind: .internal)
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
