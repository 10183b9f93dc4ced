public import InterceptorKit

/// The components and parameters of one signature: a member of `Signature-Input` (RFC 9421 section 2.3).
///
/// Order and unknown parameters are kept, because the signature covers them too.
public struct SignatureParameters: Sendable, Hashable {
    /// The covered components, in order.
    public var components: [MessageComponent]
    /// The other parameters, in order.
    public var values: HTTP.StructuredField.Parameters

    /// Creates parameters.
    /// - Parameters:
    ///   - components: The covered components, in order.
    ///   - values: The other parameters. Defaults to none.
    public init(
        _ components: [MessageComponent],
        _ values: HTTP.StructuredField.Parameters = [:]
    ) {
        self.components = components
        self.values = values
    }

    /// Reads a member of `Signature-Input`, as in `("@method");created=1618884473;keyid="app-1"`.
    /// - Throws: `SigningError` if the text is invalid or has an unknown component.
    public init(parsing text: String) throws(SigningError) {
        guard let list = try? HTTP.StructuredField.List(parsing: text), list.count == 1,
            let member = list.first
        else { throw .malformedParameters("They are not a list in parentheses.") }
        try self.init(member)
    }

    init(_ member: HTTP.StructuredField.Member) throws(SigningError) {
        guard case .innerList(let list) = member else {
            throw .malformedParameters("They are not a list in parentheses.")
        }
        var components: [MessageComponent] = []
        for item in list.items { components.append(try MessageComponent(item)) }
        self.init(components, list.parameters)
    }

    /// The time of the signature, in seconds since 1970.
    public var created: Int? {
        get { values["created"]?.integer }
        set { values["created"] = newValue.map { .integer($0) } }
    }

    /// The expiry of the signature, in seconds since 1970.
    public var expires: Int? {
        get { values["expires"]?.integer }
        set { values["expires"] = newValue.map { .integer($0) } }
    }

    /// The nonce, a text used once.
    public var nonce: String? {
        get { values["nonce"]?.string }
        set { values["nonce"] = newValue.map { .string($0) } }
    }

    /// The signature's algorithm.
    public var algorithm: SignatureAlgorithm? {
        get { values["alg"]?.string.map(SignatureAlgorithm.init) }
        set { values["alg"] = newValue.map { .string($0.name) } }
    }

    /// The id of the key.
    public var keyID: String? {
        get { values["keyid"]?.string }
        set { values["keyid"] = newValue.map { .string($0) } }
    }

    /// The purpose of the signature, in the application's own words.
    public var tag: String? {
        get { values["tag"]?.string }
        set { values["tag"] = newValue.map { .string($0) } }
    }

    /// Throws if a known parameter has a value of the wrong type (section 2.3).
    func validateTypes() throws(SigningError) {
        for (key, value) in values {
            let isRight =
                switch key {
                case "created", "expires": value.integer != nil
                case "nonce", "alg", "keyid", "tag": value.string != nil
                default: true
                }
            guard isRight else { throw .malformedParameters("The type of \(key) is wrong.") }
        }
    }

    var innerList: HTTP.StructuredField.InnerList {
        HTTP.StructuredField.InnerList(components.map(\.item), values)
    }

    func checkForRepeats() throws(SigningError) {
        // Comparing a few components is faster than hashing them.
        let isFew = components.count <= 16
        var seen: Set<MessageComponent> = []
        for (index, component) in components.enumerated() {
            let isNew =
                isFew
                ? !components[..<index].contains(component) : seen.insert(component).inserted
            guard isNew else {
                throw .invalidComponent(component.description, "It is listed twice.")
            }
        }
    }

    /// Returns the text in `Signature-Input` and in the signature base.
    /// - Throws: `SigningError` if a part cannot be written.
    public func serialized() throws(SigningError) -> String {
        var text = CanonicalWriter(capacity: 320)
        try write(to: &text)
        return text.string
    }

    func write(to text: inout CanonicalWriter) throws(SigningError) {
        text.append("(" as Unicode.Scalar)
        for (index, component) in components.enumerated() {
            if index > 0 { text.append(" " as Unicode.Scalar) }
            if !component.isPlain { try component.checkSyntax() }
            component.write(to: &text)
        }
        text.append(")" as Unicode.Scalar)
        for (key, value) in values {
            guard HTTP.StructuredField.isKey(key) else {
                throw .malformedParameters("The name \(HTTP.printable(key)) cannot be written.")
            }
            text.append(";" as Unicode.Scalar)
            text.append(key)
            try Self.write(value, to: &text)
        }
    }

    private static func write(
        _ value: HTTP.StructuredField.BareItem,
        to text: inout CanonicalWriter
    ) throws(SigningError) {
        switch value {
        case .boolean(true):
            return
        case .integer(let number) where 0...999_999_999_999_999 ~= number:
            text.append("=" as Unicode.Scalar)
            text.append("\(number)")
        case .string(let string) where string.utf8.allSatisfy(\.isPlainInStrings):
            text.append("=\"")
            text.append(string)
            text.append("\"" as Unicode.Scalar)
        default:
            do {
                text.append("=" as Unicode.Scalar)
                text.append(try value.serialized())
            } catch {
                throw .malformedParameters(error.message)
            }
        }
    }
}

extension SigningError {
    static func malformedParameters(_ reason: String) -> SigningError {
        SigningError(.malformedParameters, "The signature's parameters cannot be used. \(reason)")
    }
}
