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
    /// The number, if it is an integer.
    public var integer: Int? { if case .integer(let value) = self { value } else { nil } }

    /// The number, if it is a decimal or an integer.
    public var decimal: HTTP.StructuredField.Decimal? {
        switch self {
        case .decimal(let value): value
        case .integer(let value): HTTP.StructuredField.Decimal(value)
        default: nil
        }
    }

    /// The text, if it is a string.
    public var string: String? { if case .string(let value) = self { value } else { nil } }

    /// The identifier, if it is a token.
    public var token: String? { if case .token(let value) = self { value } else { nil } }

    /// The bytes, if it is a byte sequence.
    public var bytes: [UInt8]? { if case .bytes(let value) = self { value } else { nil } }

    /// The flag, if it is a boolean.
    public var boolean: Bool? { if case .boolean(let value) = self { value } else { nil } }

    /// The seconds since 1970, if it is a date.
    public var date: Int? { if case .date(let value) = self { value } else { nil } }

    /// The text, if it is a display string.
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
