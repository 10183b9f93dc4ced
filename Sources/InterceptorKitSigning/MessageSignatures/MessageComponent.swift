public import InterceptorKit

/// An identifier for a part of a message that a signature covers (RFC 9421 section 2).
///
/// ```swift
/// let covered: [MessageComponent] = [.method, .authority, "x-tenant", .queryParameter("page")]
/// print(covered[3])  // "@query-param";name="page"
/// ```
///
/// A string literal is a field's name. The order of parameters does not matter for equality.
public struct MessageComponent: Sendable {
    /// The lower-case name of a field, or the name of a derived component, which begins with `@`.
    public let name: String
    /// The parameters, which select a part of the field or a form of its value.
    public let parameters: HTTP.StructuredField.Parameters
    /// Whether the identifier is a name without parameters that needs no escapes.
    let isPlain: Bool
    // Computed once, because components are validated for every message.
    private(set) var isValid = false

    init(_ name: String, _ parameters: HTTP.StructuredField.Parameters = [:]) {
        self.name = name
        self.parameters = parameters
        isPlain = parameters.isEmpty && name.utf8.allSatisfy(\.isPlainInStrings)
        isValid = (try? validate()) != nil
    }

    /// Parses an identifier in the form of a signature's list, as in `"example-dict";key="a"`.
    /// - Throws: `SigningError` if the component is unknown.
    public init(parsing text: String) throws(SigningError) {
        let item: HTTP.StructuredField.Item
        do {
            item = try HTTP.StructuredField.Item(parsing: text)
        } catch {
            throw .invalidComponent(text, error.message)
        }
        try self.init(item)
    }

    /// Reads a member of a signature's list of components.
    init(_ item: HTTP.StructuredField.Item) throws(SigningError) {
        guard let name = item.value.string else {
            throw .invalidComponent("\(item.value)", "It isn't a string.")
        }
        self.init(name, item.parameters)
        try validate()
    }

    /// Returns the component for a header field. The case of the name does not matter.
    public static func field(_ name: String) -> MessageComponent {
        MessageComponent(name.lowercased())
    }

    /// The method (section 2.2.1).
    public static let method = MessageComponent("@method")
    /// The whole URL without its fragment (section 2.2.2).
    public static let targetURI = MessageComponent("@target-uri")
    /// The host, with the port unless it is the scheme's default (section 2.2.3).
    public static let authority = MessageComponent("@authority")
    /// The scheme, `http` or `https` (section 2.2.4).
    public static let scheme = MessageComponent("@scheme")
    /// The request target (section 2.2.5). Intermediaries and HTTP/2 change it.
    public static let requestTarget = MessageComponent("@request-target")
    /// The path, never empty (section 2.2.6).
    public static let path = MessageComponent("@path")
    /// The query with its `?`, or `?` alone if there is no query (section 2.2.7).
    public static let query = MessageComponent("@query")
    /// The status of a response (section 2.2.9).
    public static let status = MessageComponent("@status")

    /// Returns the component for a query parameter that occurs once (section 2.2.8).
    /// - Parameter name: The parameter's name, not percent-encoded.
    public static func queryParameter(_ name: String) -> MessageComponent {
        MessageComponent("@query-param", ["name": .string(FormEncoding.encoded(name.utf8))])
    }

    /// Returns the component for one member of a field that is a structured dictionary (section 2.1.2).
    public func key(_ key: String) -> MessageComponent { with("key", .string(key)) }

    /// The field in its structured form, in which white space does not matter (section 2.1.1).
    public var structured: MessageComponent { with("sf", true) }

    /// Each line of the field in base64, for lines that cannot be joined or contain bytes beyond ASCII (section 2.1.3).
    public var bytes: MessageComponent { with("bs", true) }

    /// The trailer field instead of the header field (section 2.1.4).
    public var inTrailers: MessageComponent { with("tr", true) }

    /// The component of the request that led to the response (section 2.4).
    public var ofRequest: MessageComponent { with("req", true) }

    private func with(_ key: String, _ value: HTTP.StructuredField.BareItem) -> MessageComponent {
        var parameters = parameters
        parameters[key] = value
        return MessageComponent(name, parameters)
    }
}

extension MessageComponent: Hashable {
    public static func == (left: Self, right: Self) -> Bool {
        left.name == right.name && left.parameters.count == right.parameters.count
            && left.parameters.allSatisfy { right.parameters[$0.key] == $0.value }
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        // The hash must not depend on the order. It includes values, or all components of one name would collide.
        var sum = parameters.count
        for parameter in parameters {
            var hashed = Hasher()
            hashed.combine(parameter.key)
            hashed.combine(parameter.value)
            sum ^= hashed.finalize()
        }
        hasher.combine(sum)
    }
}

extension MessageComponent: ExpressibleByStringLiteral {
    /// Creates the component for a header field. The case of the name does not matter.
    public init(stringLiteral name: String) { self = .field(name) }
}

extension MessageComponent: CustomStringConvertible {
    /// The identifier, as in `"@query-param";name="page"`.
    public var description: String {
        isPlain ? "\"\(name)\"" : (try? item.serialized()) ?? HTTP.printable(name)
    }

    /// Writes the identifier; an invalid one in its printable form.
    func write(to text: inout CanonicalWriter) {
        guard isPlain else { return text.append(description) }
        text.append("\"" as Unicode.Scalar)
        text.append(name)
        text.append("\"" as Unicode.Scalar)
    }

    func checkSyntax() throws(SigningError) {
        do {
            _ = try item.serialized()
        } catch {
            throw .malformedParameters(error.message)
        }
    }

    var item: HTTP.StructuredField.Item { HTTP.StructuredField.Item(.string(name), parameters) }
}

extension UInt8 {
    /// Whether a string of structured fields needs no escape for this byte (RFC 9651 section 3.3.3).
    var isPlainInStrings: Bool {
        0x20...0x7E ~= self && self != UInt8(ascii: "\"") && self != UInt8(ascii: "\\")
    }
}
