#if Tracing
import InterceptorKit
import Tracing

/// Starts spans of requests by the OpenTelemetry HTTP conventions 1.44.
struct SpanRecorder: Sendable {
    let tracer: (any Tracer)?
    let redaction: Redaction
    let kind: SpanKind
    var recordsEndUser = false

    func span(of request: HTTP.Request, _ call: Call, resends: Int = 0) -> RequestSpan {
        let tracer = tracer ?? InstrumentationSystem.tracer
        let clock = SpanClock(call.runtime)
        let span = tracer.startSpan(
            name(of: request, call),
            context: parent(of: request, call, tracer),
            ofKind: kind,
            at: clock.start
        )
        span.attributes = attributes(of: request, call, resends)
        return RequestSpan(span: span, tracer: tracer, clock: clock, redaction: redaction)
    }

    // The conventions replace an unknown method by the protocol's name.
    private func name(of request: HTTP.Request, _ call: Call) -> String {
        let method = KnownMethod.name(of: request.method.rawValue)
        let shown = method == KnownMethod.other ? "HTTP" : method
        return template(of: call).map { "\(shown) \($0)" } ?? shown
    }

    // The template belongs to the requested URL, not to the target of a redirect.
    private func template(of call: Call) -> String? {
        call.redirects.isEmpty ? call.urlTemplate : nil
    }

    private func parent(
        of request: HTTP.Request,
        _ call: Call,
        _ tracer: any Tracer
    ) -> ServiceContext {
        if let known = call.serviceContext ?? ServiceContext.current { return known }
        var fields = request.headers
        if let received = call.traceContext {
            fields["traceparent"] = received.traceparent
            fields["tracestate"] = received.tracestate
        }
        var context = ServiceContext.topLevel
        tracer.extract(fields, into: &context, using: FieldCarrier())
        return context
    }

    private func attributes(
        of request: HTTP.Request,
        _ call: Call,
        _ resends: Int
    ) -> SpanAttributes {
        var attributes: SpanAttributes = [:]
        let method = KnownMethod.name(of: request.method.rawValue)
        attributes["http.request.method"] = method
        if method == KnownMethod.other {
            attributes["http.request.method_original"] = redaction.text(request.method.rawValue)
        }
        attributes["url.full"] = redaction.url(request.url.text)
        attributes["url.template"] = template(of: call)
        if let origin = request.url.origin {
            attributes["server.address"] = origin.serverAddress
            attributes["server.port"] = origin.port
        }
        if recordsEndUser { attributes["enduser.id"] = call.endUser }
        if resends > 0 { attributes["http.request.resend_count"] = resends }
        return attributes
    }
}
#endif
