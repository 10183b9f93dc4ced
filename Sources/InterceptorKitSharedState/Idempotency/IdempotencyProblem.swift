import InterceptorKit

/// The reason why a request is not run, as its caller is told.
enum IdempotencyProblem: Error {
    case missingKey
    case malformedKey
    case requestTooLarge(limit: Int)
    case mismatch
    case inProgress
    case outcomeUnknown
    case responseNotKept
    case quotaExceeded(retryAfter: Duration)
    case storeUnavailable

    /// The member `code`, which distinguishes problems with the same status.
    var code: String {
        switch self {
        case .missingKey: "key-missing"
        case .malformedKey: "key-malformed"
        case .requestTooLarge: "request-too-large"
        case .mismatch: "key-reused"
        case .inProgress: "in-progress"
        case .outcomeUnknown: "outcome-unknown"
        case .responseNotKept: "response-not-kept"
        case .quotaExceeded: "quota-exceeded"
        case .storeUnavailable: "store-unavailable"
        }
    }

    /// The status, according to section 2.7 of the draft where it states one.
    private var status: HTTP.Status {
        switch self {
        case .missingKey, .malformedKey: 400
        case .requestTooLarge: 413
        case .mismatch: 422
        case .inProgress, .outcomeUnknown, .responseNotKept: 409
        case .quotaExceeded: 429
        case .storeUnavailable: 503
        }
    }

    private var detail: String {
        switch self {
        case .missingKey: "This operation is idempotent and requires an Idempotency-Key."
        case .malformedKey:
            "Idempotency-Key has to be one string of 1 to 255 printable ASCII characters, such as a UUID in quotes."
        case .requestTooLarge(let limit):
            "The content of a request with an Idempotency-Key has at most \(limit) bytes."
        case .mismatch: "The Idempotency-Key was used for another request. Take a new one."
        case .inProgress:
            "A request with this Idempotency-Key is in progress. Repeat this one later."
        case .outcomeUnknown:
            "The server that processed the request with this Idempotency-Key ended before its "
                + "response was known. It is not known whether the request had its effect. Look "
                + "before you send it with a new key."
        case .responseNotKept:
            "The request with this Idempotency-Key was processed. Its response was not kept."
        case .quotaExceeded:
            "There were too many requests with different keys. Repeat this one later."
        case .storeUnavailable:
            "It cannot be told now whether this request was processed before. Nothing was done. "
                + "Repeat it later."
        }
    }

    private var retryAfter: Duration? {
        switch self {
        case .inProgress: .seconds(1)
        case .storeUnavailable: .seconds(5)
        case .quotaExceeded(let time): time
        default: nil
        }
    }

    var response: HTTP.Response {
        var headers: HTTP.Headers = ["Content-Type": "application/problem+json"]
        if let retryAfter {
            // At least a second and at most a century, whatever a store returns.
            let seconds = min(max(1, retryAfter.inSeconds.rounded(.up)), 100 * 365 * 86_400)
            headers["Retry-After"] = "\(Int(seconds))"
        }
        // The rest of the request's content is not read.
        if case .requestTooLarge = self { headers["Connection"] = "close" }
        let text =
            #"{"status":\#(status.code),"title":"\#(status.reasonPhrase ?? "")","code":"\#(code)","#
            + #""detail":"\#(detail)"}"#
        return HTTP.Response(status, headers: headers, body: .text(text))
    }
}
