public import InterceptorKit

extension HTTP {
    /// What a response says about a long-running operation.
    public enum OperationState: Sendable {
        /// It goes on. The wait and the place to ask for the state, if the server names them in the body; the place may
        /// be relative to the response's URL.
        case running(after: Duration? = nil, at: URL? = nil)
        /// It has ended, and the response has the result.
        case done
        /// It has ended, and the result is at a URL, which may be relative to the response's.
        case result(at: URL)
        /// It has failed; the message says why, in words that may be shown.
        case failed(String)

        /// The state by the status alone (RFC 9110 section 15.3.3): 202 goes on, and 201 with `Operation-Location` or
        /// `Azure-AsyncOperation`; other 201 and 303 with a `Location` have the result there, other statuses below 400
        /// have it, the others have failed.
        public static func byStatus(_ response: Response) -> OperationState {
            switch response.status.code {
            case 202: return .running()
            case 201 where response.headers.operationMonitor != nil: return .running()
            case 201, 303:
                let location = response.headers["Location"]
                return location.map { .result(at: URL(received: $0)) } ?? .done
            case ..<400: return .done
            default: return .failed("The request was answered with \(response.status).")
            }
        }
    }

    /// How to wait for a long-running operation.
    public struct PollingOptions: Sendable {
        /// The longest time to wait for the end; the last request begins within it. Defaults to 10 minutes, that of
        /// most of AWS's waiters.
        public var limit: Duration = .seconds(600)
        /// The waits between two requests where the server names none by `Retry-After`. Defaults to a growth by half
        /// from 1 s to 30 s, with a fifth of jitter.
        public var backoff = Backoff(
            base: .seconds(1),
            cap: .seconds(30),
            growth: 1.5,
            jitter: .within(0.8...1.2)
        )
        /// The longest wait that a server may ask for. Defaults to 60 s; the shortest is 100 ms.
        public var longestRetryAfter: Duration = .seconds(60)
        /// The largest body of a response, in bytes. Defaults to 16 MiB.
        public var bodyLimit = Body.defaultLimit
        /// The fields of the first request that the requests for the state take over. Defaults to `Accept`,
        /// `Accept-Language` and `User-Agent`. What the chain adds, such as a token, is added to each request.
        public var keptFields: Set<String> = ["accept", "accept-language", "user-agent"]

        /// Creates the default rules.
        public init() {}
    }
}

extension HTTP.Headers {
    /// Where to ask for an operation's state, by a field that says nothing else.
    var operationMonitor: HTTP.URL? {
        (self["Operation-Location"] ?? self["Azure-AsyncOperation"]).map(HTTP.URL.init(received:))
    }
}
