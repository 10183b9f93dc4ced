public import InterceptorKit

extension HTTP {
    /// The state of a long-running operation, according to a response.
    public enum OperationState: Sendable {
        /// The operation is running. Has the wait and the monitor's URL if the body states them; the URL may be
        /// relative to the response's URL.
        case running(after: Duration? = nil, at: URL? = nil)
        /// The operation has ended, and this response has the result.
        case done
        /// The operation has ended, and the result is at a URL, which may be relative to the response's URL.
        case result(at: URL)
        /// The operation has failed. The message gives the reason and may be shown.
        case failed(String)

        /// Returns the state that the status alone implies (RFC 9110 section 15.3.3). 202, and 201 with
        /// `Operation-Location` or `Azure-AsyncOperation`, mean running. Any other 201, and 303, have the result at
        /// their `Location`; without one, and with other statuses below 400, the response has the result. All other
        /// statuses mean failed.
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

    /// The rules for waiting for a long-running operation.
    public struct PollingOptions: Sendable {
        /// The longest wait for the end; the last request begins within it. Defaults to 10 minutes, like most of AWS's
        /// waiters.
        public var limit: Duration = .seconds(600)
        /// The waits between requests without a `Retry-After`. Defaults to growth by half from 1 s to 30 s, with a
        /// fifth of jitter.
        public var backoff = Backoff(
            base: .seconds(1),
            cap: .seconds(30),
            growth: 1.5,
            jitter: .within(0.8...1.2)
        )
        /// The longest wait that a server can set. Defaults to 60 s; the shortest is 100 ms.
        public var longestRetryAfter: Duration = .seconds(60)
        /// The largest body of a response, in bytes. Defaults to 16 MiB.
        public var bodyLimit = Body.defaultLimit
        /// The fields of the first request that the later requests keep. Defaults to `Accept`, `Accept-Language` and
        /// `User-Agent`. The chain adds its own fields, such as a token, to each request.
        public var keptFields: Set<String> = ["accept", "accept-language", "user-agent"]

        /// Creates the default rules.
        public init() {}
    }
}

extension HTTP.Headers {
    /// The monitor's URL, from the fields that only name a monitor.
    var operationMonitor: HTTP.URL? {
        (self["Operation-Location"] ?? self["Azure-AsyncOperation"]).map { HTTP.URL(received: $0) }
    }
}
