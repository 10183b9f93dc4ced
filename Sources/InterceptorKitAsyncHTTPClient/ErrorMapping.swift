#if AsyncHTTPClient
import AsyncHTTPClient
import InterceptorKit
import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOPosix
import NIOSSL

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The common code and message for an engine's error.
struct ErrorMapping {
    private let code: TransportError.Code
    private let message: String
    // An error while connecting comes before anything is sent on the connection.
    private let isUnsent: Bool

    private init(_ code: TransportError.Code, _ message: String, isUnsent: Bool = false) {
        self.code = code
        self.message = message
        self.isUnsent = isUnsent
    }

    func error(_ cause: any Error, _ phase: Failure.Phase) -> TransportError {
        TransportError(
            code,
            phase == .inBody ? "\(message) Its answer had begun." : message,
            isUnsent: isUnsent && phase != .inBody,
            cause: cause
        )
    }

    init(_ error: HTTPClientError, _ host: String) {
        switch error {
        case .deadlineExceeded:
            self.init(.timedOut, "\(host) did not answer before the call's deadline.")
        case .readTimeout:
            self.init(.timedOut, "\(host) was silent for the client's read timeout.")
        case .writeTimeout:
            self.init(
                .timedOut,
                "\(host) took nothing of the request for the client's write timeout."
            )
        case .connectTimeout:
            self.init(
                .cannotConnect,
                "No connection to \(host) could be made within the client's connect timeout.",
                isUnsent: true
            )
        case .getConnectionFromPoolTimeout:
            self.init(
                .cannotConnect,
                "No connection to \(host) was free or could be made within the client's connect timeout.",
                isUnsent: true
            )
        case .tlsHandshakeTimeout:
            self.init(.tls, "The TLS handshake with \(host) took too long.", isUnsent: true)
        case .proxyAuthenticationRequired:
            self.init(
                .proxyRefused,
                "The proxy answered CONNECT with 407, so no connection could be made to \(host). "
                    + "Nothing was sent to it.",
                isUnsent: true
            )
        case .invalidProxyResponse:
            self.init(
                .cannotConnect,
                "The proxy answered CONNECT with a status of refusal, which AsyncHTTPClient does not tell, "
                    + "so no connection could be made to \(host). Nothing was sent to it.",
                isUnsent: true
            )
        case .socksHandshakeTimeout, .httpProxyHandshakeTimeout:
            self.init(
                .cannotConnect,
                "The proxy on the way to \(host) did not let the request through.",
                isUnsent: true
            )
        case .remoteConnectionClosed, .uncleanShutdown:
            self.init(
                .connectionLost,
                "\(host) closed the connection before its response was complete."
            )
        case .alreadyShutdown:
            self.init(
                .closed,
                "The transport is closed; nothing was sent to \(host). Make a new transport.",
                isUnsent: true
            )
        case .cancelled:
            self.init(.closed, "The transport was closed before \(host) had answered in full.")
        case .bodyLengthMismatch:
            self.init(
                .other,
                "The request to \(host) was broken off, because its body is not as long as it says."
            )
        default:
            self.init(.other, "The request to \(host) failed.")
        }
    }

    init(any error: any Error, _ host: String) {
        switch error {
        case let connection as NIOConnectionError:
            self.init(connection, host)
        case ChannelError.connectTimeout:
            self.init(.connectTimeout, host)
        case is ChannelError:
            self.init(.connectionLost, "The connection to \(host) broke.")
        case HTTPParserError.invalidEOFState:
            self.init(.connectionLost, "The connection to \(host) ended before the response did.")
        case is HTTPParserError:
            self.init(.protocolViolation, "The response from \(host) is not valid HTTP.")
        case is NIOHTTPDecoderError:
            self.init(.protocolViolation, "\(host) sent a response that it was not asked for.")
        case NIOSSLError.uncleanShutdown:
            self.init(.connectionLost, "The connection to \(host) ended before the response did.")
        case NIOSSLError.handshakeFailed(let reason) where reason.isEndOfConnection:
            self = .lostWhileConnecting(host)
        case NIOSSLError.handshakeFailed(let cause) where "\(cause)".holds("WRONG_VERSION_NUMBER"):
            self.init(
                .tls,
                "\(host) answered, but not with TLS: it may be a port for http, or the wrong one.",
                isUnsent: true
            )
        case NIOSSLError.handshakeFailed, is NIOSSLExtraError:
            self.init(
                .tls,
                "No secure connection could be made to \(host), or its certificate was not accepted.",
                isUnsent: true
            )
        case let closed as NIOHTTP2Errors.StreamClosed where closed.errorCode == .refusedStream:
            // The server stated this (RFC 9113 section 8.7), or its GOAWAY implies it for later streams.
            self.init(
                .connectionLost,
                "\(host) ended the HTTP/2 stream, and said that it had not processed the request.",
                isUnsent: true
            )
        case is NIOSSLError, is BoringSSLError:
            self.init(.tls, "The secure connection to \(host) failed.")
        case is RedirectFollowed:
            self.init(
                .other,
                "The HTTPClient followed a redirect from \(host) by itself. Give AsyncHTTPClientTransport "
                    + "one with redirectConfiguration: .disallow; redirects are an interceptor's."
            )
        default:
            self.init(unknown: error, host)
        }
    }

    private init(_ error: NIOConnectionError, _ host: String) {
        if error.connectionErrors.isEmpty {
            self.init(.nameNotResolved, "The name \(host) cannot be resolved.", isUnsent: true)
        } else {
            self.init(.cannotConnect, "No connection could be made to \(host).", isUnsent: true)
        }
    }

    /// - Parameter isConnecting: Whether the connection is known not to have been established yet.
    init(_ error: IOError, _ host: String, isConnecting: Bool) {
        switch error.errnoCode {
        case ECONNREFUSED:
            // Occurs only while a connection is being made (POSIX, connect).
            self.init(.cannotConnect, "No connection could be made to \(host).", isUnsent: true)
        case EHOSTUNREACH, ENETUNREACH:
            self.init(.cannotConnect, "There is no route to \(host).", isUnsent: isConnecting)
        default:
            self =
                isConnecting
                ? .lostWhileConnecting(host)
                : ErrorMapping(.connectionLost, "The connection to \(host) broke.")
        }
    }

    private static func lostWhileConnecting(_ host: String) -> ErrorMapping {
        ErrorMapping(
            .cannotConnect,
            "The connection to \(host) was lost while it was made.",
            isUnsent: true
        )
    }

    // Recognises error types by name, to avoid importing their modules just for this.
    private init(unknown error: any Error, _ host: String) {
        let type = String(reflecting: type(of: error))
        if type.begins(with: "NIOHTTPCompression.") {
            self.init(.protocolViolation, "The response from \(host) could not be decompressed.")
        } else if type.begins(with: "NIOHTTP2.") {
            self.init(.connectionLost, "The HTTP/2 connection to \(host) failed.")
        } else {
            self.init(.other, "The request to \(host) failed.")
        }
    }
}

extension BoringSSLError {
    /// Whether the connection ended during the handshake.
    fileprivate var isEndOfConnection: Bool {
        guard case .sslError(let errors) = self else { return false }
        return errors.contains(.eofDuringHandshake)
            || errors.contains(.eofDuringAdditionalCertficiateChainValidation)
    }
}
#endif
