/// Where a service that wraps its answers says whether a call worked, as in
/// `{"code": 1001, "message": "out of stock", "data": null}`.
public struct ResponseEnvelope: Sendable, Hashable {
    /// The path of the business code, names separated by dots.
    public var code: String
    /// The path of the message for people.
    public var message: String
    /// The codes that mean success, as text.
    public var success: Set<String>

    /// Describes an envelope.
    /// - Parameters:
    ///   - code: The path of the business code. Defaults to `code`.
    ///   - message: The path of the message. Defaults to `message`.
    ///   - success: The codes that mean success, as text. Defaults to `0`.
    public init(code: String = "code", message: String = "message", success: Set<String> = ["0"]) {
        self.code = code
        self.message = message
        self.success = success
    }

    /// What a JSON value says in this envelope's terms: `nil` if it is no such envelope.
    func read(_ value: JSONValue) -> (code: String, message: String?)? {
        guard let code = value.value(at: code)?.text else { return nil }
        return (code, value.value(at: message)?.text)
    }
}
