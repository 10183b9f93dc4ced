/// A JSON value of any shape (RFC 8259), for members whose types are the server's choice.
public enum JSONValue: Sendable, Hashable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number without a fraction that an `Int` holds.
    case integer(Int)
    /// Any other number.
    case number(Double)
    /// Text.
    case string(String)
    /// Values in order.
    case array([JSONValue])
    /// Values by name.
    case object([String: JSONValue])

    /// The value at a path of names, and numbers for places in arrays, like `errors.0.code`; `nil` if
    /// there is none.
    public func value(at path: String) -> JSONValue? {
        path.split(separator: ".").reduce(Optional(self)) { value, name in
            switch value {
            case .object(let members): members[String(name)]
            case .array(let values):
                Int(name).flatMap { values.indices.contains($0) ? $0 : nil }.map { values[$0] }
            default: nil
            }
        }
    }

    /// A string, number or boolean as text; `nil` for other values.
    public var text: String? {
        switch self {
        case .bool(let flag): "\(flag)"
        case .integer(let number): "\(number)"
        case .number(let number): "\(number)"
        case .string(let string): string
        case .null, .array, .object: nil
        }
    }
}

extension JSONValue: Decodable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let flag = try? container.decode(Bool.self) {
            self = .bool(flag)
        } else if let number = try? container.decode(Int.self) {
            self = .integer(number)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let string = try? container.decode(String.self) {
            self = .string(string)
        } else if let values = try? container.decode([JSONValue].self) {
            self = .array(values)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }
}
