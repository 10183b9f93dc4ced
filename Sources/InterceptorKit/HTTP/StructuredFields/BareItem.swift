extension HTTP.StructuredField {
    /// A single value without parameters (RFC 9651 section 3.3).
    public enum BareItem: Sendable, Hashable {
        /// A whole number of at most 15 digits.
        case integer(Int)
        /// A number with up to 12 digits before the point and 3 after it.
        case decimal(Decimal)
        /// Text of printable ASCII characters.
        case string(String)
        /// A short identifier: letters, digits, the marks of tokens, `:` and `/`.
        case token(String)
        /// Arbitrary bytes.
        case bytes([UInt8])
        /// A boolean, written as `?0` or `?1`.
        case boolean(Bool)
        /// A point in time, in whole seconds since 1970-01-01T00:00:00Z without leap seconds.
        case date(Int)
        /// Arbitrary Unicode text.
        case displayString(String)
    }
}

extension HTTP.StructuredField.BareItem {
    /// The number of an integer; `nil` for other values.
    public var integer: Int? { if case .integer(let value) = self { value } else { nil } }

    /// The number of a decimal or an integer; `nil` for other values, and for an integer that is too large.
    public var decimal: HTTP.StructuredField.Decimal? {
        switch self {
        case .decimal(let value): value
        case .integer(let value): HTTP.StructuredField.Decimal(value)
        default: nil
        }
    }

    /// The text of a string; `nil` for other values.
    public var string: String? { if case .string(let value) = self { value } else { nil } }

    /// The identifier of a token; `nil` for other values.
    public var token: String? { if case .token(let value) = self { value } else { nil } }

    /// The bytes of a byte sequence; `nil` for other values.
    public var bytes: [UInt8]? { if case .bytes(let value) = self { value } else { nil } }

    /// The flag of a boolean; `nil` for other values.
    public var boolean: Bool? { if case .boolean(let value) = self { value } else { nil } }

    /// The seconds since 1970 of a date; `nil` for other values.
    public var date: Int? { if case .date(let value) = self { value } else { nil } }

    /// The text of a display string; `nil` for other values.
    public var displayString: String? {
        if case .displayString(let value) = self { value } else { nil }
    }
}

extension HTTP.StructuredField.BareItem: ExpressibleByIntegerLiteral {
    /// Creates an integer.
    public init(integerLiteral value: Int) { self = .integer(value) }
}

extension HTTP.StructuredField.BareItem: ExpressibleByFloatLiteral {
    /// Creates a decimal, rounded to three digits after the point.
    public init(floatLiteral value: Double) { self = .decimal(.init(floatLiteral: value)) }
}

extension HTTP.StructuredField.BareItem: ExpressibleByStringLiteral {
    /// Creates a string; for a token, write `.token("…")`.
    public init(stringLiteral value: String) { self = .string(value) }
}

extension HTTP.StructuredField.BareItem: ExpressibleByBooleanLiteral {
    /// Creates a boolean.
    public init(booleanLiteral value: Bool) { self = .boolean(value) }
}

extension HTTP.StructuredField.BareItem {
    /// Returns the value as it is written in a field (RFC 9651 section 4.1.3.1).
    /// - Throws: ``HTTP/FieldError`` if it cannot be written.
    public func serialized() throws(HTTP.FieldError) -> String {
        var text = ""
        try write(to: &text)
        return text
    }

    func write(to text: inout String) throws(HTTP.FieldError) {
        switch self {
        case .integer(let value):
            text += "\(try Self.checked(value, "an integer", "4.1.4"))"
        case .decimal(let value):
            _ = try Self.checked(value.thousandths, "a decimal times 1,000", "4.1.5")
            text += value.description
        case .string(let value):
            try Self.write(string: value, to: &text)
        case .token(let value):
            guard value.utf8.first?.beginsToken == true, value.utf8.allSatisfy(\.continuesToken)
            else {
                throw Self.failure(
                    .invalidToken,
                    "a token begins with a letter or * and holds no blanks, quotes and brackets",
                    "4.1.7"
                )
            }
            text += value
        case .bytes(let value):
            text += ":\(Base64.encode(value)):"
        case .boolean(let value):
            text += value ? "?1" : "?0"
        case .date(let value):
            text += "@\(try Self.checked(value, "a date", "4.1.10"))"
        case .displayString(let value):
            Self.write(displayString: value, to: &text)
        }
    }

    private static func checked(
        _ value: Int,
        _ what: String,
        _ section: String
    ) throws(HTTP.FieldError) -> Int {
        guard -999_999_999_999_999...999_999_999_999_999 ~= value else {
            throw failure(.invalidNumber, "\(what) has at most 15 digits", section)
        }
        return value
    }

    private static func write(
        string: String,
        to text: inout String
    ) throws(HTTP.FieldError) {
        guard string.utf8.allSatisfy(\.isPrintable) else {
            throw failure(
                .invalidString,
                "a string holds printable ASCII only; use a display string",
                "4.1.6"
            )
        }
        text += "\""
        if !string.utf8.allSatisfy(\.isPlainInStrings) {
            for character in string.unicodeScalars {
                if character == "\"" || character == "\\" { text += "\\" }
                text.unicodeScalars.append(character)
            }
        } else {
            text += string
        }
        text += "\""
    }

    private static func write(displayString: String, to text: inout String) {
        text += "%\""
        for byte in displayString.utf8 {
            if byte.isPrintable && byte != .percent && byte != .quote {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += "%\(CollectionOfOne(byte).hexadecimal)"
            }
        }
        text += "\""
    }

    private static func failure(
        _ code: HTTP.FieldError.Code,
        _ rule: String,
        _ section: String
    ) -> HTTP.FieldError {
        HTTP.FieldError(code: code, position: nil, section: section, rule: rule)
    }
}
