extension HTTP {
    /// The shape of the envelope in which a service says whether a call worked, as in
    /// `{"code": 1001, "message": "out of stock", "data": null}`.
    ///
    /// Paths are names and array indexes separated by dots: GraphQL services have the code at `errors.0.extensions.code`.
    /// If a response has no code, its status counts.
    ///
    /// Give the envelope to the client, whose interceptors all use it: the error filter throws for codes that are not in
    /// ``success``, and retries and tokens act on those in ``transient``, ``throttled`` and ``unauthorized``.
    ///
    /// ```swift
    /// let api = try HTTP.Client(
    ///     transport: transport,
    ///     envelope: HTTP.ResponseEnvelope(unauthorized: [4001], transient: [5001])
    /// ) {
    ///     ErrorFilterInterceptor()
    ///     RetryInterceptor()
    ///     TokenInterceptor(source: tokens, origins: ["https://api.example.com"])
    /// }
    /// ```
    public struct ResponseEnvelope: Sendable, Hashable {
        /// A business code: a JSON number, string or boolean, compared as text, so `0` equals `"0"`.
        public struct Code: Sendable, Hashable {
            /// The code as text.
            public let description: String

            /// Creates a code from its text.
            public init(_ text: String) { description = text }
        }

        /// The path of the business code.
        public var code: String
        /// The path of the human-readable message.
        public var message: String
        /// The path of the content.
        public var data: String
        /// The codes that mean success.
        public var success: Set<Code>
        /// The codes of a missing or expired session, which cause a refresh as a 401 does.
        public var unauthorized: Set<Code>
        /// The codes that are worth another attempt, as a 500 is.
        public var transient: Set<Code>
        /// The codes that ask for fewer calls, as a 429 does.
        public var throttled: Set<Code>

        /// Creates the shape of an envelope.
        /// - Parameters:
        ///   - code: The path of the business code. Defaults to `code`.
        ///   - message: The path of the message. Defaults to `message`.
        ///   - data: The path of the content. Defaults to `data`.
        ///   - success: The codes that mean success. Defaults to `0`.
        ///   - unauthorized: The codes of a missing or expired session. Defaults to none.
        ///   - transient: The codes that are worth another attempt. Defaults to none.
        ///   - throttled: The codes that ask for fewer calls. Defaults to none.
        public init(
            code: String = "code",
            message: String = "message",
            data: String = "data",
            success: Set<Code> = [0],
            unauthorized: Set<Code> = [],
            transient: Set<Code> = [],
            throttled: Set<Code> = []
        ) {
            self.code = code
            self.message = message
            self.data = data
            self.success = success
            self.unauthorized = unauthorized
            self.transient = transient
            self.throttled = throttled
        }

        /// Returns the treatment of a failure with a code; `nil` for a code in none of the sets.
        func kind(of code: Code) -> Classification.Kind? {
            if unauthorized.contains(code) { return .unauthorized }
            if throttled.contains(code) { return .throttled }
            return transient.contains(code) ? .transient : nil
        }

        /// A failure that an envelope reports.
        struct Failure: Sendable, Hashable {
            let code: Code
            let message: String?
            let data: JSONValue?

            // Events and descriptions show the code, which the server chooses.
            var reason: String { "code \(code.shown)" }
        }

        /// Returns the failure that a JSON value reports; `nil` if it has no code, or one that means success.
        func failure(in value: JSONValue) -> Failure? {
            guard let text = value.value(at: code)?.text, !success.contains(Code(text)) else {
                return nil
            }
            return Failure(
                code: Code(text),
                message: value.value(at: message)?.text,
                data: value.value(at: data)
            )
        }
    }
}

/// The key of a call's envelope, which ``HTTP/Client`` sets and an ``ErrorFilterInterceptor`` reads.
extension HTTP.ResponseEnvelope: CallKey {
    public static var defaultValue: HTTP.ResponseEnvelope? { nil }
}

extension HTTP.ResponseEnvelope.Code: CustomStringConvertible {
    /// The code in a form that is safe in a line of text.
    var shown: String {
        let isPlain = HTTP.FieldSyntax.isToken(description) && description.utf8.count <= 64
        return isPlain ? description : HTTP.printable(description)
    }
}

extension HTTP.ResponseEnvelope.Code: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral
{
    public init(stringLiteral value: String) { self.init(value) }
    public init(integerLiteral value: Int) { self.init("\(value)") }
    public init(booleanLiteral value: Bool) { self.init("\(value)") }
}
