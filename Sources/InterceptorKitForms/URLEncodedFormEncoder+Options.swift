public import InterceptorKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension HTTP.URLEncodedFormEncoder {
    /// The names of an array's elements.
    public enum ArrayEncoding: Sendable {
        /// The array's name with brackets: `ids[]=7&ids[]=8`.
        case brackets
        /// The array's name, repeated: `ids=7&ids=8`.
        case noBrackets
        /// The array's name with the index in brackets: `ids[0]=7&ids[1]=8`.
        case indexInBrackets
        /// The array's name and the index after a dot: `ids.0=7&ids.1=8`.
        case dots
        /// A name of your own, from the array's name and the index.
        case custom(@Sendable (_ name: String, _ index: Int) -> String)

        func name(_ name: String, _ index: Int) -> String {
            switch self {
            case .brackets: "\(name)[]"
            case .noBrackets: name
            case .indexInBrackets: "\(name)[\(index)]"
            case .dots: "\(name).\(index)"
            case .custom(let encode): encode(name, index)
            }
        }
    }

    /// The names of values within values.
    public enum KeyPathEncoding: Sendable {
        /// Each inner key in brackets: `range[from]=7`.
        case brackets
        /// Each inner key after a dot: `range.from=7`.
        case dots
        /// Text of your own for each inner key, which is appended to the name of the outer value.
        case custom(@Sendable (_ key: String) -> String)

        func name(_ name: String, _ key: String) -> String {
            switch self {
            case .brackets: "\(name)[\(key)]"
            case .dots: "\(name).\(key)"
            case .custom(let encode): name + encode(key)
            }
        }
    }

    /// The text of booleans.
    public enum BoolEncoding: Sendable {
        /// `1` and `0`.
        case numeric
        /// `true` and `false`.
        case literal

        func text(_ value: Bool) -> String {
            switch self {
            case .numeric: value ? "1" : "0"
            case .literal: value ? "true" : "false"
            }
        }
    }

    /// The text of `Data`.
    public enum DataEncoding: Sendable {
        /// The array of bytes that `Data` encodes itself as.
        case deferredToData
        /// Base64 (RFC 4648 section 4).
        case base64
        /// Text of your own.
        case custom(@Sendable (Data) throws -> String)

        func text(_ data: Data) throws -> String? {
            switch self {
            case .deferredToData: nil
            case .base64: data.base64EncodedString()
            case .custom(let encode): try encode(data)
            }
        }
    }

    /// The text of dates.
    public enum DateEncoding: Sendable {
        /// The number that `Date` encodes itself as: seconds since 2001-01-01 in UTC.
        case deferredToDate
        /// Seconds since 1970-01-01 in UTC, with a fraction unless they are whole.
        case secondsSince1970
        /// Milliseconds since 1970-01-01 in UTC, with a fraction unless they are whole.
        case millisecondsSince1970
        /// As in RFC 3339, in whole seconds: `2026-07-01T12:00:00Z`. It has four digits for the year, so other dates
        /// cannot be encoded.
        case iso8601
        /// Text of your own, such as a formatter's.
        case custom(@Sendable (Date) throws -> String)

        func text(_ date: Date, at path: [any CodingKey]) throws -> String? {
            switch self {
            case .deferredToDate: return nil
            case .secondsSince1970: return Self.text(date.timeIntervalSince1970)
            case .millisecondsSince1970: return Self.text(date.timeIntervalSince1970 * 1000)
            case .iso8601:
                guard Self.dated.contains(date.timeIntervalSince1970) else {
                    throw EncodingError.invalidValue(
                        date,
                        .init(codingPath: path, debugDescription: "The year has no four digits.")
                    )
                }
                return date.ISO8601Format()
            case .custom(let encode): return try encode(date)
            }
        }

        // From the beginning of the year 1 to the end of 9999.
        private static let dated = -62_135_596_800.0..<253_402_300_800.0

        private static func text(_ seconds: Double) -> String {
            Int(exactly: seconds).map { "\($0)" } ?? "\(seconds)"
        }
    }

    /// The treatment of `nil`.
    public enum NilEncoding: Sendable {
        /// Neither name nor value is sent.
        case dropKey
        /// The name is sent with an empty value.
        case dropValue
        /// The name is sent with the value `null`.
        case null

        var text: String? {
            switch self {
            case .dropKey: nil
            case .dropValue: ""
            case .null: "null"
            }
        }
    }
}
