#if Tracing
import InterceptorKit
import Tracing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An open span, which runs the rest of the chain once and then ends.
struct RequestSpan {
    let span: any Span
    let tracer: any Tracer
    let clock: SpanClock
    let redaction: Redaction

    func inject(into headers: inout HTTP.Headers) {
        tracer.inject(span.context, into: &headers, using: FieldCarrier())
    }

    nonisolated(nonsending) func pass(
        _ chain: InterceptorChain<HTTP.Request>,
        _ request: HTTP.Request,
        _ call: Call
    ) async throws -> HTTP.Response {
        defer { span.end(at: clock.now) }
        do {
            let response = try await proceed(chain, request, call, on: #isolation)
            note(response)
            return response
        } catch {
            note(error, call)
            throw error
        }
    }

    // A closure passed to a task local keeps its isolation only if it captures the isolation explicitly.
    private func proceed(
        _ chain: InterceptorChain<HTTP.Request>,
        _ request: HTTP.Request,
        _ call: Call,
        on isolation: isolated (any Actor)?
    ) async throws -> HTTP.Response {
        let context = span.context
        var inner = call
        inner.serviceContext = context
        return try await ServiceContext.$current.withValue(
            context,
            operation: { [inner] in
                _ = isolation
                return try await chain.proceed(request, call: inner)
            },
            isolation: isolation
        )
    }

    private func note(_ response: HTTP.Response) {
        let code = response.status.code
        span.attributes["http.response.status_code"] = code
        guard code >= 400 else { return }
        span.attributes["error.type"] = "\(code)"
        span.setStatus(SpanStatus(code: .error))
    }

    /// The error's type, with its code for errors whose codes are few and not set by others.
    private static func type(of error: any Error) -> String {
        let name = Redaction.typeName(of: error)
        let code: String? =
            switch error {
            case let error as TransportError: error.code.description
            case let error as TimeoutError: error.code.description
            case let error as LimitError: error.code.description
            case let error as CircuitBreakerError: error.code.description
            default: nil
            }
        guard let code else { return name }
        return "\(name).\(snakeCased(code))"
    }

    /// Converts a code to the form of attributes: `connectionLost` to `connection_lost`.
    private static func snakeCased(_ code: String) -> String {
        code.unicodeScalars.reduce(into: "") { text, scalar in
            let properties = scalar.properties
            text += properties.isUppercase ? "_\(properties.lowercaseMapping)" : String(scalar)
        }
    }

    private func note(_ error: any Error, _ call: Call) {
        if error is CancellationError {
            // An ordinary cancellation is not an error; a time limit cancels too, and is one.
            guard call.remaining == .zero else { return }
            span.attributes["error.type"] = "timeout"
            span.setStatus(SpanStatus(code: .error))
        } else {
            span.attributes["error.type"] = Self.type(of: error)
            span.setStatus(SpanStatus(code: .error, message: redaction.text("\(error)")))
        }
    }
}

/// The time of a span: the wall clock at its beginning, and the monotonic clock from there on, so that no span ends
/// before it begins.
struct SpanClock {
    let start: DefaultTracerClock.Timestamp
    private let runtime: Runtime
    private let instant: Runtime.Instant

    init(_ runtime: Runtime) {
        self.runtime = runtime
        instant = runtime.now
        // Bounded, so that the nanoseconds fit into 64 bits.
        let seconds = min(max(0, runtime.date.timeIntervalSince1970), 0x1p33)
        start = DefaultTracerClock.Timestamp(nanosecondsSinceEpoch: UInt64(seconds * 1e9))
    }

    var now: DefaultTracerClock.Timestamp {
        let elapsed = min(max(0, instant.duration(to: runtime.now).inSeconds), 0x1p32)
        return DefaultTracerClock.Timestamp(
            nanosecondsSinceEpoch: start.nanosecondsSinceEpoch + UInt64(elapsed * 1e9)
        )
    }
}
#endif
