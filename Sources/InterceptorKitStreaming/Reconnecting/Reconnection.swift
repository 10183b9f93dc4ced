import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Whether another connection may do better than the one that has ended.
struct Reconnection: Sendable {
    let isWorthwhile: Bool
    let retryAfter: Duration?

    /// - Parameters:
    ///   - error: Why a connection ended or could not be made.
    ///   - date: The wall clock's, to compare `Retry-After` with.
    init(after error: any Error, date: Date) {
        switch error {
        case HTTP.StreamingError.Code.closed:
            isWorthwhile = true
            retryAfter = nil
        case let error as HTTP.StreamingError:
            isWorthwhile = error.code == .refused && Self.isTransient(error.response?.status)
            retryAfter = error.response?.headers.retryAfter(date: date)
        case let error as ResponseError:
            // Above the transport a status may have become an error; what it says is the same.
            isWorthwhile = Self.isTransient(error.status)
            retryAfter = error.headers.retryAfter(date: date)
        case is TimeoutError:
            // What took too long is one connection; the next one has its own time.
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
        // A server does not learn a method when it is asked again.
        case 501: false
        case let code: code >= 500
        }
    }
}
