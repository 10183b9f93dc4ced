import InterceptorKit

extension CurlFailure {
    func error(host: String, _ settings: CurlTransport.Settings) -> any Error {
        switch self {
        case .source(let source): source.error
        case .engine(let failure): TransportError(failure, host: host, settings)
        case .refused(let error):
            TransportError(
                .connectionLost,
                "\(host) ended the HTTP/2 connection, and said that it had not processed the request.",
                isUnsent: true,
                cause: error
            )
        case .notRepeated(let error):
            TransportError(
                .connectionLost,
                "The kept connection to \(host) was lost after the request had been sent and before a "
                    + "response came. The request may have been executed, so it was not sent again.",
                cause: error
            )
        case .silent:
            TransportError(.timedOut, "\(host) was silent for \(settings.idleTimeout.inSeconds) s.")
        case .noConnection:
            TransportError(
                .timedOut,
                "No connection to \(host) was free within \(settings.connectTimeout.milliseconds) ms; "
                    + "nothing was sent.",
                isUnsent: true
            )
        case .noThread:
            TransportError(
                .other,
                "No thread could be started to send to \(host); nothing was sent.",
                isUnsent: true
            )
        case .headTooLarge:
            TransportError(
                .protocolViolation,
                "The header fields from \(host) are more than \(HeadParser.maximumBytes) bytes or "
                    + "\(HeadParser.maximumLines) lines."
            )
        case .malformedHead:
            TransportError(.protocolViolation, "The header fields from \(host) are malformed.")
        case .sourceCancelled:
            TransportError(.other, "The request's body was cancelled while it was sent to \(host).")
        case .bodyTooShort(let sent, let stated):
            TransportError(
                .other,
                "The request's body for \(host) ended after \(sent) of the \(stated) bytes it stated."
            )
        case .bodyTooLong(let stated):
            TransportError(
                .other,
                "The request's body for \(host) has more than the \(stated) bytes it stated."
            )
        }
    }
}

extension Duration {
    fileprivate var inSeconds: String {
        let (seconds, attoseconds) = components
        let tenths = attoseconds / 100_000_000_000_000_000
        return tenths == 0 ? "\(seconds)" : "\(seconds).\(tenths)"
    }
}
