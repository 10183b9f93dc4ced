#if Tracing
public import InterceptorKit
public import Tracing

/// Records a span of the kind `client` for each send, and says in the request which it is.
///
/// It follows the OpenTelemetry HTTP conventions 1.44: named by the method, and the call's `urlTemplate`
/// where it has one; `http.request.resend_count` from the second send on, whatever repeats it (a retry, a
/// hedge, a redirect, a refreshed token); a response from 400 on is an error, and a caller that no longer
/// wants one is not. A span ends once, with the response's head.
///
/// The tracer writes its own fields, as `traceparent`, again for each attempt. It stands above
/// signatures, so that they can cover them. An event (`Event.Name.traceContextSent`) says what a request
/// then has as `traceparent`, so that logs and timelines lead to the trace. Sends of one call are
/// counted from the ``CallTracingInterceptor`` on; without that, by the number of the attempt.
public struct AttemptTracingInterceptor: Interceptor {
    private let recorder: SpanRecorder

    /// Creates an interceptor.
    /// - Parameters:
    ///   - tracer: What records spans. Defaults to the process's, as it is when an attempt is made.
    ///   - redaction: Decides what may be shown of URLs and errors. Defaults to the standard rule.
    public init(tracer: (any Tracer)? = nil, redaction: Redaction = .standard) {
        recorder = SpanRecorder(tracer: tracer, redaction: redaction, kind: .client)
    }

    public var placement: Placement? { .attemptTelemetry }

    public nonisolated(nonsending) func intercept(
        chain: InterceptorChain<HTTP.Request>
    ) async throws -> HTTP.Response {
        let call = chain.call
        let resends = call.sendCount?.next() ?? call.attempt - 1
        let span = recorder.span(of: chain.input, call, resends: resends)
        var request = chain.input
        span.inject(into: &request.headers)
        report(request, call)
        return try await span.pass(chain, request, call)
    }

    private func report(_ request: HTTP.Request, _ call: Call) {
        // Another format than W3C's says nothing that can be read here.
        guard call.isObserved, let sent = HTTP.TraceContext(request.headers) else { return }
        call.emit(
            .traceContextSent,
            from: "AttemptTracingInterceptor",
            ["trace.id": .text(sent.traceID), "span.id": .text(sent.parentID)]
        )
    }
}
#endif
