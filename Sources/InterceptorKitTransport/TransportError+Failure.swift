import Foundation
import InterceptorKit

extension TaskState.Failure {
    /// What the one who waits is told.
    func error(_ outgoing: OutgoingRequest, mayHaveArrived: Bool) -> any Error {
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
        case .noResponse:
            TransportError(.protocolViolation, "\(host) ended the exchange without a response.")
        case .engine(let error):
            TransportError(
                error,
                host: host,
                idleSeconds: outgoing.idleSeconds,
                mayHaveArrived: mayHaveArrived
            )
        }
    }
}

extension TransportError {
    static func closedBeforeSending(host: String) -> TransportError {
        TransportError(
            .closed,
            "The transport is closed; nothing was sent to \(host). Make a new transport.",
            isCertainlyUnsent: true
        )
    }

    static func deadlinePassedBeforeSending(host: String) -> TransportError {
        TransportError(
            .timedOut,
            "The call's deadline passed before anything was sent to \(host).",
            isCertainlyUnsent: true
        )
    }
}
