#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension HTTP.Response {
    /// Creates a server's response to its caller after a chain failed, without internal details.
    ///
    /// | error | response |
    /// |---|---|
    /// | ``LimitError`` of a rate | 429; 503 if the limit belongs to another service |
    /// | other ``LimitError``s, ``CircuitBreakerError`` | 503 |
    /// | ``TimeoutError``, ``TransportError`` that timed out | 504 |
    /// | ``ResponseError`` or other ``StatusReportingError`` with the status 429 or 503 | 503; 502 if overload is not passed on |
    /// | other ``TransportError``s, ``ResponseError``s and ``StatusReportingError``s with a status | 502 |
    /// | ``HTTP/ContentError`` that is too large | 413 |
    /// | other errors that are transient, throttled or rejected by their ``ClassifiedError``, such as that of a store that is away | 503 |
    ///
    /// 429 and 503 have a `Retry-After` if the time is known, also from another service's `Retry-After`: in whole
    /// seconds, rounded up, at least one and at most a century. Nothing else of another service's response is in it.
    /// The body contains problem details (RFC 9457).
    /// - Parameters:
    ///   - error: The error that the chain threw.
    ///   - isOfAnother: Whether the error comes from a client of another service, so that the caller did not cause it.
    ///     Defaults to `false`.
    ///   - passesOverload: Whether another service's 429 or 503 becomes a 503, after which the caller may ask again
    ///     later, rather than a 502. Defaults to `true`.
    /// - Returns: `nil` for any other error, such as `CancellationError` or one caused by a defect of the server.
    public init?(
        answering error: any Error,
        ofAnotherService isOfAnother: Bool = false,
        passesOverload: Bool = true
    ) {
        guard let (status, detail) = Self.meaning(of: error, isOfAnother, passesOverload) else {
            return nil
        }
        self.init(status, headers: ["Content-Type": "application/problem+json"])
        let title = status.reasonPhrase ?? ""
        body = .text(#"{"status":\#(status.code),"title":"\#(title)","detail":"\#(detail)"}"#)
        // Custom classifiers may leave the time out of an error's classification.
        let wait =
            (error as? any StatusReportingError)?.retryAfter
            ?? (error as? any ClassifiedError)?.classification.retryAfter
        if status == 429 || status == 503, let wait {
            headers["Retry-After"] = "\(Self.wholeSeconds(wait))"
        }
    }

    private static func meaning(
        of error: any Error,
        _ isOfAnother: Bool,
        _ passesOverload: Bool
    ) -> (HTTP.Status, detail: String)? {
        switch error {
        case let error as LimitError where error.code == .rate && !isOfAnother:
            (429, "Too many requests came in a short time. Send fewer.")
        case is LimitError, is CircuitBreakerError:
            (503, "There is no room for this request now. Try again later.")
        case is TimeoutError, FailurePattern.transport(.timedOut):
            (504, "The response was not there in time.")
        case FailurePattern.status(429, 503) where passesOverload:
            (503, "Another service, on which the response depends, is overloaded. Try again later.")
        case is TransportError, FailurePattern.status(in: 0...999):
            (502, "Another service, on which the response depends, has failed.")
        case let error as HTTP.ContentError where error.code == .tooLarge && !isOfAnother:
            (413, "The request's content is too large.")
        case let error as any ClassifiedError where isTemporary(error.classification.kind):
            (503, "Something that the response depends on is not available. Try again later.")
        default: nil
        }
    }

    private static func isTemporary(_ kind: Classification.Kind) -> Bool {
        kind == .transient || kind == .throttled || kind == .rejected
    }

    private static func wholeSeconds(_ time: Duration) -> Int {
        let seconds = time.inSeconds.rounded(.up)
        return Int(Swift.min(Swift.max(seconds, 1), 100 * 365 * 86_400))
    }
}
