import Foundation
import InterceptorKit
import InterceptorKitEngine

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension TransportError {
    /// Maps an engine's error to a common code and message.
    /// - Parameters:
    ///   - error: The engine's error; kept as the cause.
    ///   - host: The host and port, for the message.
    ///   - idleSeconds: The idle timeout in force, for the message.
    ///   - isInBody: Whether the response's head had arrived, for the message.
    ///   - mayHaveArrived: Whether the request may have reached the host, whatever the error says.
    init(
        _ error: URLError,
        host: String,
        idleSeconds: Int,
        isInBody: Bool = false,
        mayHaveArrived: Bool
    ) {
        #if canImport(FoundationNetworking)
        if !isInBody, !mayHaveArrived, let refusal = TunnelRefusal(error.localizedDescription) {
            self = refusal.error(host: host, isUnsent: true, cause: error)
            return
        }
        #endif
        var finding = ErrorMapping(
            error,
            host: host,
            idleSeconds: idleSeconds,
            isInBody: isInBody
        )
        if finding.isUnsent, mayHaveArrived, !isInBody { finding = .lost(host) }
        self.init(
            finding.code,
            finding.message + (isInBody ? " This was within the response's body." : ""),
            isUnsent: finding.isUnsent && !isInBody,
            cause: error
        )
    }
}

private struct ErrorMapping {
    var code: TransportError.Code
    var message: String
    var isUnsent = false

    init(_ code: TransportError.Code, _ message: String, isUnsent: Bool = false) {
        self.code = code
        self.message = message
        self.isUnsent = isUnsent
    }

    // The engine retries a request on its own, and reports only that its second connection failed.
    static func lost(_ host: String) -> ErrorMapping {
        ErrorMapping(
            .connectionLost,
            "The kept connection to \(host) may have been lost after the request had been sent, and no "
                + "other could be made. The request may have been executed."
        )
    }

    private static func invalidResponse(_ host: String) -> ErrorMapping {
        ErrorMapping(.protocolViolation, "The response from \(host) is not valid HTTP.")
    }

    init(_ error: URLError, host: String, idleSeconds: Int, isInBody: Bool) {
        switch error.code {
        case .cannotFindHost, .dnsLookupFailed:
            self.init(.nameNotResolved, "The name \(host) cannot be resolved.", isUnsent: true)
        case .cannotConnectToHost:
            self.init(.cannotConnect, "No connection could be made to \(host).", isUnsent: true)
        case .notConnectedToInternet, .internationalRoamingOff, .callIsActive, .dataNotAllowed:
            self.init(.cannotConnect, "There is no network on which to reach \(host).")
        case .badURL:
            // The URL passed our own check, so the engine does not support this form of address (IPv6 up to 6.3).
            self.init(.cannotConnect, "The engine cannot address \(host).", isUnsent: true)
        case .timedOut:
            self.init(
                .timedOut,
                "\(host) was silent for \(idleSeconds) s, or could not be reached."
            )
        case .networkConnectionLost:
            self.init(.connectionLost, "The connection to \(host) broke.")
        case .serverCertificateUntrusted, .serverCertificateHasBadDate,
            .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid:
            self.init(.tls, "The certificate of \(host) was not accepted.", isUnsent: true)
        case .secureConnectionFailed, .clientCertificateRejected, .clientCertificateRequired,
            .appTransportSecurityRequiresSecureConnection:
            self.init(.tls, "No secure connection could be made to \(host).")
        case .cannotParseResponse, .cannotDecodeRawData, .cannotDecodeContentData,
            .dataLengthExceedsMaximum, .httpTooManyRedirects, .redirectToNonExistentLocation:
            self = .invalidResponse(host)
        case .badServerResponse:
            self = .badServerResponse(host)
        case .unsupportedURL:
            self = .unsupportedURL(host)
        case .cancelled:
            self.init(.other, "The engine cancelled the request to \(host) without being asked.")
        default:
            self = .unknown(error, host, isInBody: isInBody)
        }
    }

    #if canImport(FoundationNetworking)
    // libcurl's "Server returned nothing".
    static func badServerResponse(_ host: String) -> ErrorMapping {
        ErrorMapping(.connectionLost, "\(host) closed the connection without a response.")
    }

    // The URL passed our own check, so this is libcurl's "Received HTTP/0.9 when not allowed".
    static func unsupportedURL(_ host: String) -> ErrorMapping {
        ErrorMapping(.protocolViolation, "The response from \(host) is not HTTP.")
    }

    // FoundationNetworking has one code for most libcurl errors; only the English text differs.
    static func unknown(_ error: URLError, _ host: String, isInBody: Bool) -> ErrorMapping {
        let text = error.localizedDescription.lowercased()
        func mentions(_ phrases: String...) -> Bool { phrases.contains { text.contains($0) } }
        if mentions("could not resolve") {
            return ErrorMapping(
                .nameNotResolved,
                "The name of \(host) or of its proxy cannot be resolved.",
                isUnsent: true
            )
        }
        if mentions("couldn't connect", "failed to connect") {
            // The connection was reset before a byte was sent; a refusal has a code of its own.
            return ErrorMapping(
                .cannotConnect,
                "No connection could be made to \(host).",
                isUnsent: true
            )
        }
        if mentions("certificate") {
            return ErrorMapping(
                .tls,
                "The certificate of \(host) was not accepted.",
                isUnsent: true
            )
        }
        // "tls connect error" is the text of libcurl 8.14.
        if mentions("ssl_connect", "tls connect error"),
            mentions("ssl_error_syscall", "connection reset", "unexpected eof", "broken pipe")
        {
            return ErrorMapping(
                .cannotConnect,
                "The connection to \(host) was lost while it was made secure.",
                isUnsent: true
            )
        }
        if mentions("wrong version number", "packet length too long") {
            return ErrorMapping(
                .tls,
                "\(host) answered, but not with TLS: it may be a port for http, or the wrong one."
            )
        }
        if mentions("ssl", "tls", "alpn") {
            return ErrorMapping(.tls, "The secure connection to \(host) failed.")
        }
        if mentions(
            "bytes remaining to read",
            "bytes missing",
            "outstanding read data",
            "recv failure",
            "send failure"
        ) {
            return ErrorMapping(
                .connectionLost,
                "The connection to \(host) ended before the body did."
            )
        }
        // Newer versions say this if Foundation rejects a line of the head.
        if !isInBody, mentions("writing output") { return .invalidResponse(host) }
        if mentions(
            "chunk",
            "content encoding",
            "content-length",
            "unencoding",
            "header",
            "http/2",
            "weird server"
        ) {
            return .invalidResponse(host)
        }
        return ErrorMapping(.other, "The request to \(host) failed.")
    }
    #else
    static func badServerResponse(_ host: String) -> ErrorMapping { .invalidResponse(host) }

    static func unsupportedURL(_ host: String) -> ErrorMapping {
        ErrorMapping(.other, "The engine does not take the URL of \(host).", isUnsent: true)
    }

    static func unknown(_ error: URLError, _ host: String, isInBody: Bool) -> ErrorMapping {
        ErrorMapping(.other, "The request to \(host) failed with URL error \(error.errorCode).")
    }
    #endif
}
