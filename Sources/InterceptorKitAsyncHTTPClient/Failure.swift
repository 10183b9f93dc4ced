#if AsyncHTTPClient
import AsyncHTTPClient
import InterceptorKit
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// An engine's error, and the error that the caller gets for it.
struct Failure {
    enum Phase: Equatable {
        /// In a guarded client, losses in use are marked.
        case beforeHead(isGuarded: Bool)
        case inBody
    }

    let error: any Error

    init(_ error: any Error, of request: HTTP.Request, _ phase: Phase) {
        let host = request.url.origin?.authority ?? ""
        switch error {
        case let body as RequestBodyFailure:
            self.error = Failure.bodyError(body, host)
        case let refused as HTTP.RequestError:
            self.error = refused
        case let loss as LossInUse:
            self.error = ErrorMapping(loss.cause, host, isConnecting: false).error(
                loss.cause,
                phase
            )
        case let io as IOError:
            let isConnecting = phase == .beforeHead(isGuarded: true)
            self.error = ErrorMapping(io, host, isConnecting: isConnecting).error(io, phase)
        case let known as HTTPClientError:
            self.error =
                Failure.refusal(known, request) ?? ErrorMapping(known, host).error(known, phase)
        default:
            self.error = ErrorMapping(any: error, host).error(error, phase)
        }
    }

    /// Returns the body's own error. Its cancellation is not the caller's.
    private static func bodyError(_ failure: RequestBodyFailure, _ host: String) -> any Error {
        guard failure.cause is CancellationError else { return failure.cause }
        return TransportError(
            .other,
            "The request's body was cancelled while it was sent to \(host)."
        )
    }

    /// Returns the error for a valid request that the engine does not send.
    private static func refusal(
        _ error: HTTPClientError,
        _ request: HTTP.Request
    ) -> HTTP.RequestError? {
        switch error {
        case .invalidURL, .emptyHost, .emptyScheme:
            return HTTP.RequestError(
                .invalidURL,
                "\(request.url) is not a URL to AsyncHTTPClient. Percent-encode what RFC 3986 reserves."
            )
        case .traceRequestWithBody:
            return HTTP.RequestError(
                .invalidBody,
                "A TRACE request has no body (RFC 9110 section 9.3.8)."
            )
        default:
            guard let field = request.headers.first(where: \.hasControlCharacter) else {
                return nil
            }
            return HTTP.RequestError(
                .invalidField,
                "AsyncHTTPClient does not send the field \(field.name), because its value has a control "
                    + "character."
            )
        }
    }
}

extension HTTP.Headers.Field {
    fileprivate var hasControlCharacter: Bool {
        value.utf8.contains { ($0 < 0x20 && $0 != 0x09) || $0 == 0x7F }
    }
}
#endif
