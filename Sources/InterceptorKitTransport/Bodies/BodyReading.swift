import Foundation
import InterceptorKit

/// Reads a request's body before it is sent, in a task of its own, so that a stream that stalls and ignores
/// cancellation delays neither the caller's cancellation nor the call's deadline.
///
/// The registry owns the reading until the stream is released, which may be after the call.
final class BodyReading: Sendable {
    private let body: HTTP.Body
    private let limits: SpooledBody.Limits
    private let host: String
    private let work = AbandonableWork<SpooledBody>()

    /// - Parameter host: The request's destination, for messages.
    init(_ body: HTTP.Body, within limits: SpooledBody.Limits, for host: String) {
        self.body = body
        self.limits = limits
        self.host = host
    }

    /// Reads the body to its end, once.
    /// - Throws: As `SpooledBody.init(reading:within:)`; `CancellationError` and `TransportError` as soon
    ///   as the caller is cancelled, the deadline passes or the transport is closed.
    func value(in registry: TaskRegistry, call: Call) async throws -> SpooledBody {
        guard registry.begin(self) else { throw TransportError.closedBeforeSending(host: host) }
        return try await work.value("URLSessionTransport request body", of: call) { [host] in
            TransportError.deadlinePassedBeforeSending(host: host)
        } _: { [self] in
            defer { registry.forget(self) }
            do {
                return try await SpooledBody(reading: body, within: limits)
            } catch is CancellationError {
                throw TransportError.bodyCancelled
            }
        }
    }

    /// Ends the reading because the transport is closed.
    func close() { work.end(.failure(TransportError.closedBeforeSending(host: host))) }
}

extension TransportError {
    /// The error for a request body whose stream ended with a `CancellationError` of its own.
    static var bodyCancelled: TransportError {
        TransportError(
            .other,
            "The request's body was cancelled while it was read; nothing was sent.",
            isUnsent: true
        )
    }
}
