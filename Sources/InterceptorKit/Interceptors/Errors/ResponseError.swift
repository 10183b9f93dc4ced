#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An error for a response that means failure.
public struct ResponseError: CodedError, Sendable, AttemptHistory {
    /// The kind of failure.
    public struct Code: ErrorCode {
        public let description: String

        /// The status means failure. As a pattern, as in `catch ResponseError.Code.status`, it matches every error
        /// whose status means failure, also one with problem details or a business code.
        public static let status = Code(description: "status")
        /// The status means failure, and there are problem details. As a pattern, it also matches errors with a
        /// business code.
        public static let problem = Code(description: "problem")
        /// A business code in an envelope means failure, whatever the status.
        public static let business = Code(description: "business")
        /// The content has an unexpected media type.
        public static let contentType = Code(description: "contentType")
        /// A header field is missing.
        public static let missingField = Code(description: "missingField")
        /// A member of the content is missing or `null`.
        public static let missingMember = Code(description: "missingMember")
        /// The content isn't valid JSON, ends early, or is too long to read.
        public static let malformed = Code(description: "malformed")

        /// Returns whether this code applies to an error.
        ///
        /// An error's ``ResponseError/code`` is the most specific one. To match a certain status, use a failure
        /// pattern, as in `.status(404)`.
        public static func ~= (code: Code, error: any Error) -> Bool {
            guard let error = error as? ResponseError else { return false }
            return switch code {
            case .status: error.isStatusRefused
            case .problem: error.problem != nil
            default: error.code == code
            }
        }
    }

    public let code: Code
    /// The response's status.
    public let status: HTTP.Status
    /// The service's own code from an envelope, if there is one.
    public let businessCode: String?
    /// The content of the service's envelope, if there is any.
    public let businessData: JSONValue?
    /// The problem details, if the response had them.
    public let problem: HTTP.ProblemDetails?
    /// The service's text for people: a problem's detail or title, or an envelope's message.
    public let serviceMessage: String?
    /// The response's header fields.
    public let headers: HTTP.Headers
    /// The beginning of the response's body.
    public let body: Data
    /// Whether ``body`` may be incomplete: it is over the limit, did not arrive in time, or was not read.
    public let isBodyCut: Bool
    /// The request as it was sent.
    public let request: HTTP.Request?
    /// The wait that the server asked for.
    public let retryAfter: Duration?
    /// The classification of the failure.
    public let classification: Classification
    /// All attempts, including the first.
    public var attempts: [Attempt]

    // Whether the status alone means failure.
    private let isStatusRefused: Bool
    // The end of the message's first sentence.
    private let flaw: String?

    init(
        _ code: Code,
        _ response: HTTP.Response,
        body: Data,
        isBodyCut: Bool,
        problem: HTTP.ProblemDetails? = nil,
        business: HTTP.ResponseEnvelope.Failure? = nil,
        flaw: String? = nil,
        isStatusRefused: Bool = false,
        classification: Classification,
        date: Date
    ) {
        self.code = code
        status = response.status
        businessCode = business?.code.description
        businessData = business?.data
        self.problem = problem
        serviceMessage = business?.message ?? problem?.detail ?? problem?.title
        headers = response.headers
        self.body = body
        self.isBodyCut = isBodyCut
        request = response.request
        retryAfter = response.headers.retryAfter(date: date)
        self.classification = classification
        attempts = response.attempts
        self.isStatusRefused = isStatusRefused
        self.flaw = flaw ?? business?.reason
    }
}

extension ResponseError: ClassifiedError {}

extension ResponseError: Summarizable {
    /// Returns the response's status.
    public func summary(on call: Call) -> Event.Value {
        .code(status.code) { HTTP.Status($0).description }
    }
}

extension ResponseError: StatusReportingError {
    /// The response's status.
    public var responseStatus: HTTP.Status? { status }
}

extension ResponseError {
    /// The request, the status and the service's message; never a body or a secret.
    public var message: String {
        let what = request.map { "\($0)" } ?? "The request"
        var text = "\(what) was answered with \(status)"
        if let flaw { text += ", \(flaw)" }
        if let serviceMessage {
            text += ": \(HTTP.printable(Redaction.standard.text(serviceMessage)))"
        }
        return text + "."
    }
}
