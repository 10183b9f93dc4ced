/// Sends the trace context of each attempt in the fields `traceparent` and `tracestate` (W3C Trace Context).
///
/// ```swift
/// let api = try HTTP.Client(transport: transport) {
///     RetryInterceptor(policy: .standard)
///     TraceContextInterceptor()
///     SignInterceptor(.hmacSHA256(keyID: "app-1", secret: secret))
/// }
/// ```
///
/// The trace is ``Call/traceContext``; if that is `nil`, the one in the request's own fields; if these are invalid, a
/// new trace whose identifier begins with the call's. All attempts of a call have the same trace, and each names its
/// own parent: if events are reported, the ``Event/Activity/ID`` of this pass, to match server logs with client events.
///
/// It needs no tracing system and records nothing. If you have one, use the `AttemptTracingInterceptor` of
/// `InterceptorKitTelemetry` instead. It is above signatures, so that they can cover the fields.
public struct TraceContextInterceptor: Interceptor {
    private let isSampled: Bool

    /// Creates an interceptor.
    /// - Parameter isSampled: Whether new traces are marked as recorded, which servers commonly take as a request to
    ///   record them. Defaults to `true`.
    public init(samplingNewTraces isSampled: Bool = true) { self.isSampled = isSampled }

    public var placement: Placement? { .attemptTelemetry }

    public var keepsDeadline: Bool { true }

    public nonisolated(nonsending) func intercept(
        chain: InterceptorChain<HTTP.Request>
    ) async throws -> HTTP.Response {
        let call = chain.call
        let received = call.traceContext ?? HTTP.TraceContext(chain.input.headers)
        let context = (received ?? newTrace(call)).sent(by: parent(call))
        call.emit(
            .traceContextSent,
            ["trace.id": .text(context.traceID), "span.id": .text(context.parentID)]
        )
        return try await chain.proceed { $0.headers.setTraceContext(context) }
    }

    // Derived from the call's identifier, so all attempts share it without any state. It is as unlikely to repeat as
    // that identifier, but not made of 56 random bits, so the random flag stays unset.
    private func newTrace(_ call: Call) -> HTTP.TraceContext {
        let id = call.id.number
        return HTTP.TraceContext(
            trace: [id, SplitMix64.mix(id &+ 1) | 1],
            parent: 0,
            flags: isSampled ? 0b01 : 0
        )
    }

    private func parent(_ call: Call) -> UInt64 {
        var parent = call.currentActivity?.id.number ?? 0
        // Zero is not valid (section 3.2.2.4).
        while parent == 0 { parent = call.runtime.identifier() }
        return parent
    }
}

extension Event.Name {
    /// An attempt sent its trace context: `trace.id`, `span.id`.
    public static let traceContextSent: Self = "trace_context.sent"
}
