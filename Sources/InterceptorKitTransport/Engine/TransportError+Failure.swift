import Foundation
import InterceptorKit

extension RequestState.Failure {
    /// The error for the waiting caller.
    /// - Parameters:
    ///   - outgoing: What was sent.
    ///   - isInBody: Whether the head had arrived.
    ///   - mayHaveArrived: Whether the request may have reached the host whatever the engine says.
    func error(_ outgoing: OutgoingRequest, isInBody: Bool, mayHaveArrived: Bool) -> any Error {
        let host = outgoing.host
        return switch self {
        case .cancelled:
            CancellationError()
        case .timedOut:
            TransportError(.timedOut, "\(host) did not answer before the call's deadline.")
        case .closed:
            TransportError(.closed, "The transport was closed before \(host) had answered in full.")
        case .readerTooSlow:
            TransportError(
                .readerTooSlow,
                "The body from \(host) arrived faster than it was read and the transport's buffer is "
                    + "full. Read faster, or raise maximumBufferedBytes."
            )
        case .storage(let error):
            TransportError(
                .storage,
                "The body from \(host) arrived faster than it was read and what waits could not be "
                    + "kept. " + error.text(folder: outgoing.temporaryFolder)
                    + " Read faster, or make room.",
                cause: error
            )
        case .resent:
            TransportError(
                .connectionLost,
                "The kept connection to \(host) broke after the request's body was sent, in part or "
                    + "whole, and before a response. It may have been executed and is not sent again."
            )
        case .droppedBody:
            TransportError(
                .protocolViolation,
                "The engine drops the body of a redirect from \(host) whose target it cannot read."
            )
        case .lengthUnusable:
            TransportError(
                .protocolViolation,
                "\(host) states a Content-Length that isn't a number, or several that differ."
            )
        case .noResponse:
            TransportError(.protocolViolation, "\(host) ended the request without a response.")
        case .engine(let error):
            TransportError(
                error,
                host: host,
                idleSeconds: outgoing.idleSeconds,
                isInBody: isInBody,
                mayHaveArrived: mayHaveArrived
            )
        }
    }
}
