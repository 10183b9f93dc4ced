import Foundation
import InterceptorKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension URLError {
    /// Creates a session's error for a failure in its route: with a code that callers of `URLSession` know, and the
    /// failure as `NSUnderlyingErrorKey`.
    ///
    /// The URL is the request's, with its secrets redacted, if the result is still a URL.
    init(routing error: any Error, of request: URLRequest) {
        if let error = error as? URLError {
            self = error
            return
        }
        let finding = ErrorMapping(error)
        var userInfo: [String: Any] = [
            NSLocalizedDescriptionKey: finding.message,
            NSUnderlyingErrorKey: error,
        ]
        if let url = request.url {
            let redacted = HTTP.URL(unvalidated: url.absoluteString).description
            userInfo[NSURLErrorFailingURLErrorKey] = Foundation.URL(string: redacted)
        }
        self.init(finding.code, userInfo: userInfo)
    }
}

private struct ErrorMapping {
    let code: URLError.Code
    let message: String

    init(_ error: any Error) {
        switch error {
        case is CancellationError:
            code = .cancelled
            message = "The request was cancelled in its route."
        case let error as TransportError:
            code = ErrorMapping.code(error.code)
            message = "\(error)"
        case let error as HTTP.RequestError:
            code = ErrorMapping.code(error.code)
            message = "\(error)"
        case let error as HTTP.ContentError:
            code = error.code == .tooLarge ? .dataLengthExceedsMaximum : .cannotDecodeRawData
            message = "\(error)"
        case let error as RoutingError:
            code = ErrorMapping.code(error.code)
            message = "\(error)"
        default:
            // Another library's text may contain anything; the underlying error has it.
            code = error is ResponseError ? .badServerResponse : .unknown
            message = "The request failed in its route with \(type(of: error))."
        }
    }

    private static func code(_ code: TransportError.Code) -> URLError.Code {
        switch code {
        case .nameNotResolved: .cannotFindHost
        case .cannotConnect: .cannotConnectToHost
        case .tls: .secureConnectionFailed
        case .connectionLost: .networkConnectionLost
        case .protocolViolation: .badServerResponse
        case .timedOut: .timedOut
        case .readerTooSlow: .dataLengthExceedsMaximum
        case .unsupported: .unsupportedURL
        default: .unknown
        }
    }

    private static func code(_ code: HTTP.RequestError.Code) -> URLError.Code {
        switch code {
        case .invalidURL: .badURL
        case .unsupportedScheme: .unsupportedURL
        case .bodyTooLarge: .dataLengthExceedsMaximum
        default: .unknown
        }
    }

    private static func code(_ code: RoutingError.Code) -> URLError.Code {
        switch code {
        case .bodyTooLarge: .dataLengthExceedsMaximum
        case .notCached: .resourceUnavailable
        case .recursion: .httpTooManyRedirects
        case .unsupportedTask: .unsupportedURL
        default: .unknown
        }
    }
}
