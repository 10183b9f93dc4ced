import Foundation
import InterceptorKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

enum URLSessionFailure: Error {
    case droppedBody
    case lengthUnusable
    /// The file of the request's body became shorter while it was sent.
    case fileCutShort
    /// The engine resends the request and, on Linux, without the body that it has already sent.
    case resent
    /// The configuration's limit for a response, which URLSession on Linux does not enforce.
    case tookTooLong(Duration)
    case storage(StorageError)
    /// - Parameter mayHaveArrived: Whether the request may have reached the host, whatever the engine reports.
    case engine(URLError, mayHaveArrived: Bool)

    func error(_ outgoing: OutgoingRequest, isInBody: Bool) -> TransportError {
        let host = outgoing.host
        return switch self {
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
        case .tookTooLong(let limit):
            TransportError(
                .timedOut,
                "The response from \(host) was not whole after \(limit.formattedSeconds), the "
                    + "configuration's timeoutIntervalForResource."
            )
        case .droppedBody:
            TransportError(
                .protocolViolation,
                "The engine drops the body of a redirect from \(host) whose target it cannot read."
            )
        case .fileCutShort:
            TransportError(
                .other,
                "The file of the request's body for \(host) became shorter while it was sent."
            )
        case .lengthUnusable:
            .unusableLength(host: host)
        case .engine(let error, let mayHaveArrived):
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

extension TransportError {
    static func unusableLength(host: String) -> TransportError {
        TransportError(
            .protocolViolation,
            "\(host) states a Content-Length that isn't a number, or several that differ."
        )
    }
}
