#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A response that means failure, as an error.
public struct ResponseError: Error, Sendable, AttemptHistory {
    /// The kind of failure.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let description: String

        /// The status says so.
        public static let status = Code(description: "status")
        /// The status says so, and problem details say more.
        public static let problem = Code(description: "problem")
        /// A business code in an envelope says so, whatever the status.
        public static let business = Code(description: "business")
    }

    /// The kind of failure.
    public let code: Code
    /// The response's status.
    public let status: HTTP.Status
    /// The service's own code, if it gave one in an envelope.
    public let businessCode: String?
    /// The problem details, if the response had them.
    public let problem: ProblemDetails?
    /// What the service says for people: a problem's detail or title, or an envelope's message.
    public let serviceMessage: String?
    /// The response's header fields.
    public let headers: HTTP.Headers
    /// The beginning of the response's body.
    public let body: Data
    /// The request as it was sent.
    public let request: HTTP.Request?
    /// How long the server asked to wait.
    public let retryAfter: Duration?
    /// What was tried, if there was more than one attempt.
    public var attempts: [Attempt]

    init(
        _ response: HTTP.Response,
        body: Data,
        problem: ProblemDetails?,
        business: (code: String, message: String?)?,
        date: Date
    ) {
        code = business != nil ? .business : problem != nil ? .problem : .status
        status = response.status
        businessCode = business?.code
        self.problem = problem
        serviceMessage = business?.message ?? problem?.detail ?? problem?.title
        headers = response.headers
        self.body = body
        request = response.request
        retryAfter = response.headers.retryAfter(date: date)
        attempts = response.attempts
    }
}

extension ResponseError: CustomStringConvertible {
    /// What was asked, how it was answered, what the service says, and what was tried; never a body or
    /// a secret.
    public var description: String {
        let what = request.map { "\($0)" } ?? "The request"
        var text = "\(what) was answered with \(status)"
        if let businessCode { text += ", code \(businessCode)" }
        if let serviceMessage { text += ": \(HTTP.printable(serviceMessage))" }
        return ([text + "."] + attempts.map(\.description)).joined(separator: "\n")
    }
}

extension ResponseError: CustomReflectable {
    /// The same, so that `dump` and debuggers show neither body nor fields.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
