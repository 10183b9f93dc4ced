import InterceptorKit
import InterceptorKitEngine

extension TransportError {
    /// Maps libcurl's error to a common code and keeps it as the cause.
    init(_ failure: EngineFailure, host: String, _ settings: CurlTransport.Settings) {
        if let refusal = failure.error.tunnelRefusal {
            self = refusal.error(host: host, isUnsent: failure.isUnsent, cause: failure.error)
            return
        }
        let (code, message) = Self.finding(failure, host, settings)
        self.init(code, message, isUnsent: failure.isUnsent, cause: failure.error)
    }

    // The numbers are from libcurl-errors(3).
    private static func finding(
        _ failure: EngineFailure,
        _ host: String,
        _ settings: CurlTransport.Settings
    ) -> (Code, String) {
        switch failure.error.code {
        case 5:
            (.nameNotResolved, "The proxy's name cannot be resolved (for \(host)).")
        case 6:
            (.nameNotResolved, "The name \(host) cannot be resolved.")
        case 7, 45:
            (.cannotConnect, "No connection could be made to \(host).")
        case 97:
            (.cannotConnect, "The proxy made no connection to \(host).")
        case 28 where failure.isUnsent:
            (
                .timedOut,
                "No connection to \(host) was ready within \(settings.connectTimeout.milliseconds) ms."
            )
        case 28:
            (.timedOut, "\(host) did not answer in time.")
        case 60:
            (.tls, "The certificate of \(host) was not accepted.")
        case 90:
            (.tls, "The public key of \(host) is not one of the pinned keys.")
        case 43 where failure.error.isAboutKey, 58:
            (.tls, "The client certificate for \(host) cannot be used.")
        case 77:
            (.tls, "The trusted certificates cannot be read; nothing was sent to \(host).")
        case 35 where failure.error.isLoss:
            (.cannotConnect, "The connection to \(host) was lost while it was made secure.")
        case 35 where failure.error.isNotTLS:
            (
                .tls,
                "\(host) answered, but not with TLS: it may be a port for http, or the wrong one."
            )
        case 98:
            (.tls, "\(host) requires a client certificate.")
        case 35, 53, 54, 59, 64, 66, 80, 82, 83, 91:
            (.tls, "No secure connection could be made to \(host).")
        case 56 where failure.error.isAboutChunks:
            (.protocolViolation, "The chunks of the body from \(host) are malformed.")
        case 56 where failure.error.isAboutFields:
            (.protocolViolation, "The header fields from \(host) exceed libcurl's limit.")
        case 56 where failure.error.isAlert:
            (.tls, "\(host) ended the secure connection with an alert.")
        case 18, 52, 55, 56, 81:
            (.connectionLost, failure.lossMessage(host))
        case 27 where !failure.isUnsent, 100 where !failure.isUnsent:
            // libcurl reports a field line beyond its limit as a lack of memory.
            (.protocolViolation, "A header field from \(host) is longer than libcurl's limit.")
        case 16, 92:
            (.protocolViolation, "The HTTP/2 connection to \(host) failed.")
        case 61:
            (.protocolViolation, "The body from \(host) is not in its stated content coding.")
        case 1, 8, 22, 33, 43, 63, 88:
            (.protocolViolation, "The response from \(host) is not valid HTTP.")
        default:
            (.other, "The request to \(host) failed with libcurl's error \(failure.error.code).")
        }
    }
}

extension EngineFailure {
    fileprivate func lossMessage(_ host: String) -> String {
        switch error.code {
        case 52: "\(host) closed the connection without a response."
        case 18: "The connection to \(host) ended before the body did."
        default: "The connection to \(host) broke."
        }
    }
}

extension CurlError {
    /// Whether the error is about connecting: a name, an address, a proxy or TLS.
    var isConnectFailure: Bool {
        [5, 6, 7, 35, 45, 53, 54, 58, 59, 60, 64, 66, 77, 82, 83, 90, 91, 97].contains(code)
            || tunnelRefusal != nil
    }

    // libcurl reports this as a receive error; 8.22, as a connect error.
    fileprivate var tunnelRefusal: TunnelRefusal? {
        code == 56 || code == 7 ? TunnelRefusal(text) : nil
    }

    /// Whether libcurl gave up after too many resends of its own.
    var isTooManyResends: Bool {
        // libcurl reports this as a send error; 8.14, as a receive error.
        (55...56).contains(code) && text.begins(with: "Connection died, tried")
    }

    // libcurl has one number for broken chunks and broken connections; only the text differs.
    fileprivate var isAboutChunks: Bool { text.contains("chunk") }

    // libcurl 8.22 reports this as a bad argument.
    fileprivate var isAboutKey: Bool { text.holds("private key") }

    // libcurl reports too many or too long fields under several numbers.
    fileprivate var isAboutFields: Bool { text.contains("response headers") }

    // The server closed the connection during the handshake: the texts of OpenSSL 1.1 and 3, for a reset and an end.
    fileprivate var isLoss: Bool {
        ["SSL_ERROR_SYSCALL", "Connection reset", "unexpected eof", "Broken pipe"].contains {
            text.holds($0)
        }
    }

    // The first bytes were not a TLS record: OpenSSL (as a length from 3.2 on), GnuTLS, wolfSSL, Schannel, rustls.
    fileprivate var isNotTLS: Bool {
        [
            "wrong version number", "packet length too long", "unexpected TLS packet",
            "http request",
            "record layer version error", "InvalidContentType",
        ].contains { text.holds($0) }
    }

    // TLS 1.3 refusals arrive as read errors, after the client considers the handshake finished.
    fileprivate var isAlert: Bool { text.contains("alert") }
}
