/// A JSON value of any shape (RFC 8259), for members whose types the server chooses.
public enum JSONValue: Sendable, Hashable {
    /// The value `null`.
    case null
    /// The value `true` or `false`.
    case bool(Bool)
    /// A number without a fraction that fits in an `Int`.
    case integer(Int)
    /// Any other number.
    case number(Double)
    /// A string.
    case string(String)
    /// An array.
    case array([JSONValue])
    /// An object, with its values by name.
    case object([String: JSONValue])

    /// Returns the value at a path of names and array indexes, such as `errors.0.code`; `nil` if there is none.
    public func value(at path: String) -> JSONValue? {
        path.split(at: ".").reduce(Optional(self)) { value, name in
            switch value {
            case .object(let members): members[String(name)]
            case .array(let values):
                Int(name).flatMap { values.indices.contains($0) ? $0 : nil }.map { values[$0] }
            default: nil
            }
        }
    }

    /// The text of a string, number or boolean; `nil` for other values.
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
    /// Decodes a value, in at most 64 levels of lists and objects, including those around it: a decoder tries each kind
    /// in turn, and each failure costs time proportional to the depth.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard decoder.codingPath.count <= 64 else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "It is deeper than 64 lists and objects."
            )
        }
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
