/// A redirect that is not followed. The response that redirects comes with it.
public struct RedirectError: CodedError, Sendable {
    /// Why it is not followed.
    public struct Code: ErrorCode {
        /// The error that has such codes.
        public typealias Failure = RedirectError

        public let description: String

        /// There were as many redirects as are followed.
        public static let tooMany = Code(description: "tooMany")
        /// The request for the target was made before in this call.
        public static let loop = Code(description: "loop")
        /// It leads from https to http.
        public static let downgrade = Code(description: "downgrade")
        /// The target is no URL, or there are several.
        public static let invalidTarget = Code(description: "invalidTarget")
        /// The target's scheme is neither http nor https.
        public static let unsupportedScheme = Code(description: "unsupportedScheme")
        /// The body can be read once, and was sent.
        public static let bodyCannotBeSentAgain = Code(description: "bodyCannotBeSentAgain")
        /// The body would go to another origin.
        public static let bodyAcrossOrigins = Code(description: "bodyAcrossOrigins")
    }

    /// Why it is not followed.
    public let code: Code
    /// Which redirect it is, why it is not followed and what to do, in whole sentences. Of URLs it has
    /// origins only.
    public let message: String
    /// The response that redirects, its body unread; its ``HTTP/Response/redirects`` are those that
    /// were followed to it.
    public let response: HTTP.Response
}

extension RedirectError: CustomStringConvertible {
    /// The message.
    public var description: String { message }
}

extension RedirectError: CustomReflectable {
    /// The message and the response's description, so that `dump` does not show targets.
    public var customMirror: Mirror {
        Mirror(self, children: ["message": message, "response": response.description])
    }
}
