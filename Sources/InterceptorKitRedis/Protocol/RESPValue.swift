#if Redis
import InterceptorKit
import NIOCore

/// A reply in RESP3, the protocol of Redis and Valkey.
///
/// Kinds that no command of a store needs to tell apart are one: all strings, and arrays and sets.
enum RESPValue: Sendable, Hashable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case double(Double)
    /// A simple, bulk or verbatim string, or a big number.
    case text(ByteBuffer)
    /// An error, with its text.
    case error(String)
    /// An array or a set.
    case list([RESPValue])
    /// Keys and values alternately, in order.
    case map([RESPValue])
    /// A message that the server sends unasked.
    case push([RESPValue])

    var integer: Int64? {
        if case .integer(let number) = self { number } else { nil }
    }

    var list: [RESPValue]? {
        if case .list(let values) = self { values } else { nil }
    }

    var string: String? {
        if case .text(let bytes) = self { String(buffer: bytes) } else { nil }
    }

    /// The value for a key of a map, or of a list of alternating keys and values, which is a map in RESP2.
    subscript(key: String) -> RESPValue? {
        let values: [RESPValue]
        switch self {
        case .map(let all), .list(let all): values = all
        default: return nil
        }
        for index in stride(from: 0, to: values.count - 1, by: 2)
        where values[index].string == key {
            return values[index + 1]
        }
        return nil
    }

    /// The first word of an error, such as `NOSCRIPT`, or `ERR` if it is not a code; `nil` for other values.
    var errorCode: String? {
        guard case .error(let text) = self else { return nil }
        let word = text.beginning(before: " ")
        let isCode =
            (1...32).contains(word.utf8.count)
            && word.utf8.allSatisfy { 65...90 ~= $0 || 48...57 ~= $0 || $0 == 95 }
        return isCode ? String(word) : "ERR"
    }
}
#endif
