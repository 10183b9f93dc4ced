/// The shape of a service's envelope, which says whether a call worked, as in
/// `{"code": 1001, "message": "out of stock", "data": null}`.
///
/// Paths are names separated by dots, and numbers for array indexes: GraphQL services use
/// `errors.0.extensions.code`. A response without a code means what its status says.
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
    /// The path of the message for people.
    public var message: String
    /// The path of the content.
    public var data: String
    /// The codes that mean success.
    public var success: Set<Code>

    /// Creates a description of an envelope.
    /// - Parameters:
    ///   - code: The path of the business code. Defaults to `code`.
    ///   - message: The path of the message. Defaults to `message`.
    ///   - data: The path of the content. Defaults to `data`.
    ///   - success: The codes that mean success. Defaults to `0`.
    public init(
        code: String = "code",
        message: String = "message",
        data: String = "data",
        success: Set<Code> = [0]
    ) {
        self.code = code
        self.message = message
        self.data = data
        self.success = success
    }

    /// What an envelope says of a failure.
    struct Failure: Sendable, Hashable {
        let code: Code
        let message: String?
        let data: JSONValue?

        // Events and descriptions show it, and it is the server's choice.
        var reason: String { "code \(code.shown)" }
    }

    /// The failure a JSON value tells of; `nil` if it has no code or one that means success.
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

extension ResponseEnvelope.Code: CustomStringConvertible {
    /// The code as it may stand in a line of text.
    var shown: String {
        let isPlain = HTTP.FieldSyntax.isToken(description) && description.utf8.count <= 64
        return isPlain ? description : HTTP.printable(description)
    }
}

extension ResponseEnvelope.Code: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral
{
    public init(stringLiteral value: String) { self.init(value) }
    public init(integerLiteral value: Int) { self.init("\(value)") }
    public init(booleanLiteral value: Bool) { self.init("\(value)") }
}
