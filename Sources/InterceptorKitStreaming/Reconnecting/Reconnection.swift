import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The decision to reconnect after an error or not, and the server's `Retry-After`.
struct Reconnection: Sendable {
    let isWorthwhile: Bool
    let retryAfter: Duration?

    /// - Parameters:
    /// - error: The error with which a connection ended or failed.
    ///   - date: The current date, to which `Retry-After` is relative.
    init(after error: any Error, date: Date) {
        switch error {
        case HTTP.StreamingError.Code.closed:
            isWorthwhile = true
            retryAfter = nil
        case let error as HTTP.StreamingError:
            isWorthwhile = error.code == .refused && Self.isTransient(error.response?.status)
            retryAfter = error.response?.headers.retryAfter(date: date)
        case let error as ResponseError:
            // An interceptor may have turned a status into an error; the status means the same.
            isWorthwhile = Self.isTransient(error.status)
            retryAfter = error.headers.retryAfter(date: date)
        case is TimeoutError:
            // The timeout concerns this connection only.
            isWorthwhile = true
            retryAfter = nil
        case let error as any ClassifiedError:
            let classification = error.classification
            isWorthwhile = [.transient, .throttled, .rejected].contains(classification.kind)
            retryAfter = classification.retryAfter
        default:
            isWorthwhile = false
            retryAfter = nil
        }
    }

    private static func isTransient(_ status: HTTP.Status?) -> Bool {
        switch status?.code ?? 0 {
        case 408, 425, 429: true
        // The server will not support the method next time either.
        case 501: false
        case let code: code >= 500
        }
    }
}
