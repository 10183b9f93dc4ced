import InterceptorKit

/// The reason that an exchange ends before its response does.
package enum Failure: Error {
    case cancelled
    case deadlinePassed
    /// The transport was closed while the exchange was under way.
    case closed
    /// The transport was closed before the exchange began.
    case refused
    case noResponse
    case readerTooSlow
    /// A failure that only one engine knows.
    case engine(any Error)

    /// Returns the error for the waiting code.
    /// - Parameter isInBody: Whether that is the body's reader.
    func error(for driver: some ExchangeDriver, isInBody: Bool) -> any Error {
        let host = driver.host
        return switch self {
        case .cancelled:
            CancellationError()
        case .deadlinePassed:
            TransportError(.timedOut, "\(host) did not answer before the call's deadline.")
        case .closed:
            TransportError(.closed, "The transport was closed before \(host) had answered in full.")
        case .refused:
            TransportError.closedBeforeSending(host: host)
        case .noResponse:
            TransportError(.protocolViolation, "\(host) ended the request without a response.")
        case .readerTooSlow:
            TransportError(
                .readerTooSlow,
                "The body from \(host) arrived faster than it was read and the transport's buffer is "
                    + "full. Read faster, or raise maximumBufferedBytes."
            )
        case .engine(let error):
            driver.error(for: error, isInBody: isInBody)
        }
    }
}
