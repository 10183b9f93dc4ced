#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

extension JSONValue {
    /// The greatest depth of lists and objects, which is that of Foundation's decoder.
    static let deepest = 512

    /// Reads a JSON text (RFC 8259) in a time proportional to its length.
    ///
    /// Decoding as `Decodable` tries each kind in turn instead, and each failure costs time proportional to the depth.
    /// A value without an exact form does not make the text invalid (RFC 8259 sections 6 and 8.2): a number beyond the
    /// range of `Double` becomes the largest one, and half of a surrogate pair becomes U+FFFD.
    /// - Returns: `nil` if the text isn't JSON in UTF-8, or is deeper than 512 lists and objects. Of members with the
    ///   same name the first counts, as in Foundation's decoder.
    package init?(parsing text: Data) {
        var parser = JSONParser(text)
        guard let value = parser.whole() else { return nil }
        self = value
    }

    /// Reads a JSON text that must mean the same to every reader, such as what is signed (RFC 7493 section 2).
    /// - Parameters:
    ///   - text: The text.
    ///   - depth: The greatest depth of lists and objects.
    /// - Returns: `nil` if the text isn't JSON in UTF-8, is deeper, begins with a byte order mark, or has an object with
    ///   two members of one name or a half of a surrogate pair.
    package init?(exactly text: Data, depth: Int) {
        var parser = JSONParser(text, exactlyTo: depth)
        guard let value = parser.whole() else { return nil }
        self = value
    }
}

/// A parser that never goes back.
private struct JSONParser {
    private let bytes: [UInt8]
    private var position = 0
    private let isExact: Bool
    private let deepest: Int

    init(_ text: Data) {
        bytes = Array(text)
        isExact = false
        deepest = JSONValue.deepest
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }

    init(_ text: Data, exactlyTo depth: Int) {
        bytes = Array(text)
        isExact = true
        deepest = depth
    }

    mutating func whole() -> JSONValue? {
        guard let value = value(depth: 0) else { return nil }
        skipBlanks()
        return position == bytes.count ? value : nil
    }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipBlanks() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
            position += 1
        }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    private mutating func take(_ word: String) -> Bool {
        guard bytes[position...].starts(with: word.utf8) else { return false }
        position += word.utf8.count
        return true
    }

    private mutating func value(depth: Int) -> JSONValue? {
        skipBlanks()
        switch next {
        case UInt8(ascii: "{")?: return object(depth: depth + 1)
        case UInt8(ascii: "[")?: return array(depth: depth + 1)
        case UInt8(ascii: "\"")?: return string().map { .string($0) }
        case UInt8(ascii: "t")?: return take("true") ? .bool(true) : nil
        case UInt8(ascii: "f")?: return take("false") ? .bool(false) : nil
        case UInt8(ascii: "n")?: return take("null") ? .null : nil
        default: return number()
        }
    }

    private mutating func array(depth: Int) -> JSONValue? {
        guard depth <= deepest, take(UInt8(ascii: "[")) else { return nil }
        skipBlanks()
        var values: [JSONValue] = []
        if take(UInt8(ascii: "]")) { return .array(values) }
        while true {
            guard let value = value(depth: depth) else { return nil }
            values.append(value)
            skipBlanks()
            if take(UInt8(ascii: "]")) { return .array(values) }
            guard take(UInt8(ascii: ",")) else { return nil }
        }
    }

    private mutating func object(depth: Int) -> JSONValue? {
        guard depth <= deepest, take(UInt8(ascii: "{")) else { return nil }
        skipBlanks()
        var members: [String: JSONValue] = [:]
        if take(UInt8(ascii: "}")) { return .object(members) }
        while true {
            skipBlanks()
            guard let name = string() else { return nil }
            skipBlanks()
            guard take(UInt8(ascii: ":")), let value = value(depth: depth) else { return nil }
            if members[name] == nil { members[name] = value } else if isExact { return nil }
            skipBlanks()
            if take(UInt8(ascii: "}")) { return .object(members) }
            guard take(UInt8(ascii: ",")) else { return nil }
        }
    }

    private mutating func string() -> String? {
        guard take(UInt8(ascii: "\"")) else { return nil }
        let start = position
        var unescaped: [UInt8]?
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                let content = unescaped ?? Array(bytes[start..<position])
                position += 1
                return String(validating: content, as: UTF8.self)
            case UInt8(ascii: "\\"):
                if unescaped == nil { unescaped = Array(bytes[start..<position]) }
                position += 1
                guard let scalar = escaped() else { return nil }
                unescaped? += Array(String(scalar).utf8)
            case 0..<0x20: return nil
            default:
                unescaped?.append(byte)
                position += 1
            }
        }
        return nil
    }

    private mutating func escaped() -> Unicode.Scalar? {
        defer { position += 1 }
        switch next {
        case UInt8(ascii: "\"")?: return "\""
        case UInt8(ascii: "\\")?: return "\\"
        case UInt8(ascii: "/")?: return "/"
        case UInt8(ascii: "b")?: return "\u{8}"
        case UInt8(ascii: "f")?: return "\u{C}"
        case UInt8(ascii: "n")?: return "\n"
        case UInt8(ascii: "r")?: return "\r"
        case UInt8(ascii: "t")?: return "\t"
        case UInt8(ascii: "u")?:
            guard let unit = unit(at: position + 1) else { return nil }
            position += 4
            guard 0xD800..<0xE000 ~= unit else { return Unicode.Scalar(unit) }
            // Half of a surrogate pair; the other half should follow.
            guard unit < 0xDC00, position + 2 < bytes.count,
                bytes[position + 1] == UInt8(ascii: "\\"), bytes[position + 2] == UInt8(ascii: "u"),
                let low = self.unit(at: position + 3), 0xDC00..<0xE000 ~= low
            else { return isExact ? nil : "\u{FFFD}" }
            position += 6
            return Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
        default: return nil
        }
    }

    private func unit(at start: Int) -> UInt32? {
        guard start + 4 <= bytes.count else { return nil }
        return bytes[start..<start + 4].reduce(0 as UInt32?) { unit, byte in
            guard let unit, let digit = Self.digit(byte) else { return nil }
            return unit << 4 | digit
        }
    }

    private static func digit(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }

    private mutating func number() -> JSONValue? {
        let start = position
        _ = take(UInt8(ascii: "-"))
        guard takeDigits() else { return nil }
        let first = bytes[start] == UInt8(ascii: "-") ? start + 1 : start
        guard bytes[first] != UInt8(ascii: "0") || position == first + 1 else { return nil }
        // The number, if it has no exponent and no fraction other than zeros.
        var whole: Int? = Int(String(decoding: bytes[start..<position], as: UTF8.self))
        if take(UInt8(ascii: ".")) {
            let fraction = position
            guard takeDigits() else { return nil }
            if bytes[fraction..<position].contains(where: { $0 != UInt8(ascii: "0") }) {
                whole = nil
            }
        }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            whole = nil
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            guard takeDigits() else { return nil }
        }
        if let whole { return .integer(whole) }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        guard let read = Double(text) else { return nil }
        let largest = Double.greatestFiniteMagnitude
        let number = min(max(read, -largest), largest)
        return Int(exactly: number).map { .integer($0) } ?? .number(number)
    }

    private mutating func takeDigits() -> Bool {
        let start = position
        while let byte = next, 48...57 ~= byte { position += 1 }
        return position > start
    }
}
