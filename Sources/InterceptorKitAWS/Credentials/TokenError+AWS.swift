public import InterceptorKit

/// An error for credentials of AWS that could not be had.
public struct AWSCredentialError: CodedError, Sendable, Hashable {
    /// The kind of failure.
    public struct Code: ErrorCode {
        public let description: String

        /// Creates a kind of failure, for your own providers.
        public init(description: String) { self.description = description }

        /// The provider does not apply here, so that a chain goes on with its next link.
        public static let notConfigured = Code(description: "notConfigured")
        /// No link of the chain applies.
        public static let noCredentials = Code(description: "noCredentials")
        /// A variable, a file or a profile says what cannot work.
        public static let invalidConfiguration = Code(description: "invalidConfiguration")
        /// The service or the process that has the credentials did not answer.
        public static let unavailable = Code(description: "unavailable")
        /// The service refused.
        public static let refused = Code(description: "refused")
        /// The response has no credentials that can be used.
        public static let malformedResponse = Code(description: "malformedResponse")
        /// The credentials have expired.
        public static let expired = Code(description: "expired")
    }

    /// A link of a chain that was tried.
    public struct Link: Sendable, Hashable {
        /// The link's name, such as `environment`.
        public let name: String
        /// Why it gave no credentials, as a whole sentence.
        public let reason: String

        init(_ name: String, _ reason: String) {
            self.name = name
            self.reason = reason
        }
    }

    public let code: Code
    /// What happened and what to do, in whole sentences, with each link that was tried and its reason.
    public let message: String
    /// The links of the chain that were tried, or the places where a region was looked for, in their order;
    /// empty for a provider alone.
    public let links: [Link]

    /// Creates an error, for your own providers.
    /// - Parameters:
    ///   - code: The kind of failure; after ``Code-swift.struct/notConfigured`` a chain goes on.
    ///   - message: What happened and what to do, in whole sentences without secrets.
    public init(_ code: Code, _ message: String) { self.init(code, message, links: []) }

    private init(_ code: Code, _ message: String, links: [Link]) {
        self.code = code
        self.message = message
        self.links = links
    }
}

extension AWSCredentialError {
    static func notConfigured(_ reason: String) -> AWSCredentialError {
        AWSCredentialError(.notConfigured, reason)
    }

    static func invalid(_ reason: String) -> AWSCredentialError {
        AWSCredentialError(.invalidConfiguration, reason)
    }

    /// What a chain ends with.
    /// - Parameters:
    ///   - name: The link that failed; `nil` if none applies.
    ///   - tried: The links before it.
    func ending(_ name: String?, after tried: [Link]) -> AWSCredentialError {
        let links = tried + (name.map { [Link($0, message)] } ?? [])
        let summary =
            name.map { "The credentials of AWS could not be had from the \($0)." }
            ?? "There are no credentials of AWS here."
        return AWSCredentialError(
            name == nil ? .noCredentials : code,
            "\(summary) \(Self.list(links))",
            links: links
        )
    }

    /// What a lookup of the region ends with.
    static func noRegion(after tried: [Link]) -> AWSCredentialError {
        AWSCredentialError(
            .invalidConfiguration,
            "Nothing names the region of AWS. \(list(tried))",
            links: tried
        )
    }

    private static func list(_ links: [Link]) -> String {
        "Tried: " + links.map { "\($0.name): \($0.reason)" }.joined(separator: " ")
    }
}
