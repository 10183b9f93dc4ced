#if Tracing
public import InterceptorKit
public import Tracing

/// Records a span of the kind `client` for each send, and propagates its context in the request.
///
/// It follows the OpenTelemetry HTTP conventions 1.44. The span's name is the method, with the call's `urlTemplate` if
/// it has one. From the second send on, the span has `http.request.resend_count`, whatever repeats the send (a retry,
/// hedge, redirect or refreshed token). A status of 400 or more is an error; a cancellation is not. A span ends once,
/// with the response's head.
///
/// The tracer writes its fields, such as `traceparent`, anew for each attempt. This interceptor is outside signatures,
/// so they can cover these fields. An event (`Event.Name.traceContextSent`) contains the request's `traceparent`, so
/// that logs and timelines lead to the trace. Sends of one call are counted from the ``CallTracingInterceptor`` on;
/// without it, by the number of the attempt.
public struct AttemptTracingInterceptor: Interceptor {
    private let recorder: SpanRecorder

    /// Creates an interceptor.
    /// - Parameters:
    ///   - tracer: The tracer. Defaults to the process's at the time of an attempt.
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
            kind: .client,
            recordsEndUser: recordsEndUser
        )
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
        // Only the W3C format can be read here.
        guard call.isObserved, let sent = HTTP.TraceContext(request.headers) else { return }
        call.emit(
            .traceContextSent,
            ["trace.id": .text(sent.traceID), "span.id": .text(sent.parentID)]
        )
    }
}
#endif
