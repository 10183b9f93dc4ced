import InterceptorKit

/// Finds positions in JSON text (RFC 8259): of its first mistake, and of the end of an array.
struct JSONText {
    struct Array: Equatable {
        let isEmpty: Bool
        /// The offset after the last element.
        let end: Int
        /// The offset of the closing bracket.
        let closing: Int
    }

    /// The limit of Foundation's decoder.
    private static let depthLimit = 512

    private struct Problem: Error { let offset: Int }

    private let bytes: [UInt8]
    private let start: Int

    /// - Parameter bytes: UTF-8, possibly with a byte order mark.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    }

    /// The place at which the text stops being JSON, as in `line 3, column 5`, both from 1; `nil` if it is JSON.
    var problem: String? {
        do throws(Problem) {
            let end = afterBlanks(try afterValue(afterBlanks(start), depth: 0))
            guard end < bytes.count else { return nil }
            return place(of: end)
        } catch {
            return place(of: error.offset)
        }
    }

    /// The text without a byte order mark, and with U+FFFD for each escape of half a surrogate pair, which decoders
    /// reject (RFC 8259 section 8.2).
    var withWholeCharacters: [UInt8] {
        var text = Swift.Array(bytes[start...])
        var cursor = 0
        while let escape = text[cursor...].firstIndex(of: UInt8(ascii: "\\")) {
            guard let unit = Self.unit(in: text, at: escape), 0xD800..<0xE000 ~= unit else {
                cursor = min(escape + 2, text.count)
                continue
            }
            if unit < 0xDC00, let low = Self.unit(in: text, at: escape + 6), 0xDC00..<0xE000 ~= low
            {
                cursor = escape + 12
            } else {
                text.replaceSubrange(escape..<escape + 6, with: #"\ufffd"#.utf8)
                cursor = escape + 6
            }
        }
        return text
    }

    /// Returns the array at a path of member names; `nil` if there is none.
    func array(at path: [String]) -> Array? {
        do throws(Problem) {
            var cursor = afterBlanks(start)
            for name in path {
                guard let value = try value(of: name, inObjectAt: cursor) else { return nil }
                cursor = value
            }
            guard byte(cursor) == UInt8(ascii: "[") else { return nil }
            var end = cursor + 1
            var closing = afterBlanks(end)
            let isEmpty = byte(closing) == UInt8(ascii: "]")
            while byte(closing) != UInt8(ascii: "]") {
                end = try afterValue(closing, depth: path.count)
                closing = afterBlanks(end)
                if byte(closing) == UInt8(ascii: ",") { closing = afterBlanks(closing + 1) }
            }
            return Array(isEmpty: isEmpty, end: end, closing: closing)
        } catch {
            return nil
        }
    }

    private func value(of name: String, inObjectAt start: Int) throws(Problem) -> Int? {
        guard byte(start) == UInt8(ascii: "{") else { return nil }
        var cursor = afterBlanks(start + 1)
        // Of equal names, the decoder uses the last.
        var found: Int?
        while byte(cursor) == UInt8(ascii: "\"") {
            let end = try afterString(cursor)
            let value = afterBlanks(afterBlanks(end) + 1)
            if bytes[(cursor + 1)..<(end - 1)].elementsEqual(name.utf8) { found = value }
            cursor = afterBlanks(try afterValue(value, depth: 1))
            guard byte(cursor) == UInt8(ascii: ",") else { break }
            cursor = afterBlanks(cursor + 1)
        }
        return found
    }

    private func afterValue(_ start: Int, depth: Int) throws(Problem) -> Int {
        guard depth < Self.depthLimit else { throw Problem(offset: start) }
        switch byte(start) {
        case UInt8(ascii: "\""): return try afterString(start)
        case UInt8(ascii: "["), UInt8(ascii: "{"): return try afterContainer(start, depth: depth)
        default:
            for literal in ["null", "true", "false"]
            where bytes[min(start, bytes.count)...].starts(with: literal.utf8) {
                return start + literal.utf8.count
            }
            return try afterNumber(start)
        }
    }

    private func afterContainer(_ start: Int, depth: Int) throws(Problem) -> Int {
        let isObject = byte(start) == UInt8(ascii: "{")
        let close = isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
        var cursor = afterBlanks(start + 1)
        if byte(cursor) == close { return cursor + 1 }
        while true {
            if isObject {
                guard byte(cursor) == UInt8(ascii: "\"") else { throw Problem(offset: cursor) }
                cursor = afterBlanks(try afterString(cursor))
                guard byte(cursor) == UInt8(ascii: ":") else { throw Problem(offset: cursor) }
                cursor = afterBlanks(cursor + 1)
            }
            cursor = afterBlanks(try afterValue(cursor, depth: depth + 1))
            if byte(cursor) == close { return cursor + 1 }
            guard byte(cursor) == UInt8(ascii: ",") else { throw Problem(offset: cursor) }
            cursor = afterBlanks(cursor + 1)
        }
    }

    private func afterString(_ start: Int) throws(Problem) -> Int {
        var cursor = start + 1
        while let byte = byte(cursor), byte != UInt8(ascii: "\"") {
            guard byte >= 0x20 else { throw Problem(offset: cursor) }
            cursor = byte == UInt8(ascii: "\\") ? try afterEscape(cursor) : cursor + 1
        }
        guard cursor < bytes.count else { throw Problem(offset: bytes.count) }
        return cursor + 1
    }

    private func afterEscape(_ start: Int) throws(Problem) -> Int {
        guard let letter = byte(start + 1) else { throw Problem(offset: bytes.count) }
        if letter == UInt8(ascii: "u") {
            guard Self.unit(in: bytes, at: start) != nil else { throw Problem(offset: start) }
            return start + 6
        }
        guard "\"\\/bfnrt".utf8.contains(letter) else { throw Problem(offset: start) }
        return start + 2
    }

    /// Returns the UTF-16 code unit of an escape `\uXXXX` at an offset.
    private static func unit(in bytes: [UInt8], at start: Int) -> UInt16? {
        let escape = bytes.dropFirst(start).prefix(6)
        let digits = escape.dropFirst(2)
        guard digits.count == 4, escape.starts(with: #"\u"#.utf8),
            // `UInt16.init(_:radix:)` would accept a sign.
            digits.allSatisfy({ 48...57 ~= $0 || 97...102 ~= $0 | 0x20 })
        else { return nil }
        return UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    }

    private func afterNumber(_ start: Int) throws(Problem) -> Int {
        let integer = byte(start) == UInt8(ascii: "-") ? start + 1 : start
        var cursor = afterDigits(integer)
        let isZero = byte(integer) == UInt8(ascii: "0")
        guard cursor > integer, !isZero || cursor == integer + 1 else {
            throw Problem(offset: start)
        }
        if byte(cursor) == UInt8(ascii: ".") {
            let end = afterDigits(cursor + 1)
            guard end > cursor + 1 else { throw Problem(offset: start) }
            cursor = end
        }
        if let mark = byte(cursor), mark | 0x20 == UInt8(ascii: "e") {
            let isSigned = byte(cursor + 1).map { "+-".utf8.contains($0) } == true
            let exponent = cursor + (isSigned ? 2 : 1)
            let end = afterDigits(exponent)
            guard end > exponent else { throw Problem(offset: start) }
            cursor = end
        }
        return cursor
    }

    private func afterDigits(_ start: Int) -> Int {
        var cursor = start
        while let byte = byte(cursor), 48...57 ~= byte { cursor += 1 }
        return cursor
    }

    private func afterBlanks(_ start: Int) -> Int {
        var cursor = start
        while let byte = byte(cursor), " \t\r\n".utf8.contains(byte) { cursor += 1 }
        return cursor
    }

    private func byte(_ offset: Int) -> UInt8? {
        offset < bytes.count ? bytes[offset] : nil
    }

    private func place(of offset: Int) -> String {
        let before = bytes[..<min(offset, bytes.count)]
        let line = before.count { $0 == UInt8(ascii: "\n") } + 1
        let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        return "line \(line), column \(before.count - start + 1)"
    }
}
