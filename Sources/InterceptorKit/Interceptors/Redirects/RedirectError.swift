/// An error for a redirect that is not followed. It carries the redirecting response.
public struct RedirectError: CodedError, Sendable {
    /// The reason why a redirect is not followed.
    public struct Code: ErrorCode {
        public let description: String

        /// The call reached the largest number of redirects.
        public static let tooMany = Code(description: "tooMany")
        /// The call has already requested the target.
        public static let loop = Code(description: "loop")
        /// The redirect leads from https to http.
        public static let downgrade = Code(description: "downgrade")
        /// The target isn't a URL, or there are several.
        public static let invalidTarget = Code(description: "invalidTarget")
        /// The target's scheme is neither http nor https.
        public static let unsupportedScheme = Code(description: "unsupportedScheme")
        /// The body can only be read once, and was sent.
        public static let bodyCannotBeSentAgain = Code(description: "bodyCannotBeSentAgain")
        /// The body would go to another origin.
        public static let bodyAcrossOrigins = Code(description: "bodyAcrossOrigins")
    }

    /// The reason why the redirect is not followed.
    public let code: Code
    /// The redirect's number, the reason and the remedy, in whole sentences that show only the origins of URLs.
    public let message: String
    /// The redirecting response, with its body unread; its ``HTTP/Response/redirects`` are those that led to it.
    public let response: HTTP.Response
}
