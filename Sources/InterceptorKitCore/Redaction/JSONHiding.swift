/// Hides secrets in JSON that begins at a brace or bracket, and leaves every other byte unchanged.
///
/// Accepts JSON's punctuation, numbers, literals and strings in any order, even if the text is cut off. The values of
/// hidden names are hidden completely; `null`, `true`, `false` and empty strings are kept. Other strings, which may be
/// forms, URLs, sentences or nested JSON, are treated like any text. If an object has a hidden name as its `name`, as
/// in archives' lists of fields, its `value` is hidden.
struct JSONHiding {
    private let bytes: ArraySlice<UInt8>
    private let redaction: Redaction
    private let depth: Int
    private var shown: [UInt8] = []
    private var level = 0
    // The nesting level of an object whose `name` is hidden, and the visibility of its `value`.
    private var namedSecret: (level: Int, visibility: SecretNames.Visibility)?

    /// - Parameter bytes: Text that ``end(of:)`` accepted.
    init(_ bytes: ArraySlice<UInt8>, _ redaction: Redaction, depth: Int) {
        self.bytes = bytes
        self.redaction = redaction
        self.depth = depth
    }

    /// Returns the end of JSON at the beginning of a text: the end of its container or of the text; otherwise, the
    /// index after the first byte that isn't JSON.
    static func end(of text: ArraySlice<UInt8>) -> (index: Int, isJSON: Bool) {
        var level = 0
        var cursor = text.startIndex
        while cursor < text.endIndex {
            switch text[cursor] {
            case .quote:
                cursor = string(in: text, at: cursor).next
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): level += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                level -= 1
                if level == 0 { return (cursor + 1, true) }
            case let byte where isBlank(byte) || ",:".utf8.contains(byte): break
            default:
                let word = text[cursor...].prefix(while: isPlain)
                guard isLiteral(word, isCut: word.endIndex == text.endIndex) else {
                    return (cursor + 1, false)
                }
                cursor = word.endIndex
                continue
            }
            cursor += 1
        }
        return (cursor, true)
    }

    consuming func run() -> [UInt8] {
        shown.reserveCapacity(bytes.count)
        var cursor = bytes.startIndex
        while cursor < bytes.endIndex {
            let byte = bytes[cursor]
            if byte == .quote {
                cursor = member(at: cursor)
                continue
            }
            if "{[".utf8.contains(byte) { level += 1 }
            if "}]".utf8.contains(byte) {
                level -= 1
                if let named = namedSecret, level < named.level { namedSecret = nil }
            }
            shown.append(byte)
            cursor += 1
        }
        return shown
    }

    /// Writes a string, and its member's value if its name hides it; returns the next index.
    private mutating func member(at start: Int) -> Int {
        let string = Self.string(in: bytes, at: start)
        let colon = skippingBlanks(from: string.next)
        guard string.isClosed, colon < bytes.endIndex, bytes[colon] == UInt8(ascii: ":") else {
            write(bytes[string.content], isClosed: string.isClosed)
            return string.next
        }
        let value = skippingBlanks(from: colon + 1)
        shown += bytes[start..<value]
        guard value < bytes.endIndex else { return value }
        let name = Self.decoded(bytes[string.content].suffix(6 * SecretNames.nameLimit))
        var visibility = redaction.names.visibility(of: name[...])
        let isName = Self.namingNames.contains(String(decoding: name, as: UTF8.self).lowercased())
        if isName, bytes[value] == .quote {
            let secret = Self.decoded(bytes[Self.string(in: bytes, at: value).content])
            let found = redaction.names.visibility(of: secret[...])
            if found != .shown { namedSecret = (level, found) }
        } else if let named = namedSecret, named.level == level,
            Self.valueNames.contains(String(decoding: name, as: UTF8.self).lowercased())
        {
            visibility = named.visibility
        }
        return visibility == .shown ? value : hide(at: value, visibility)
    }

    private mutating func hide(at start: Int, _ visibility: SecretNames.Visibility) -> Int {
        let quoted = [.quote] + Redaction.placeholderBytes + [.quote]
        switch bytes[start] {
        case .quote:
            let string = Self.string(in: bytes, at: start)
            let content = bytes[string.content]
            guard !content.isEmpty,
                visibility == .hidden || !SecretNames.isPlain(Self.decoded(content)[...])
            else { return start }
            shown += string.isClosed ? quoted : Array(quoted.dropLast())
            return string.next
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            guard visibility == .hidden else { return start }
            shown += quoted
            return Self.end(of: bytes[start...]).index
        default:
            let word = bytes[start...].prefix(while: Self.isPlain)
            let isNumber = word.first.map { 48...57 ~= $0 || $0 == UInt8(ascii: "-") } ?? false
            guard visibility == .hidden, isNumber else { return start }
            shown += quoted
            return word.endIndex
        }
    }

    private mutating func write(_ content: ArraySlice<UInt8>, isClosed: Bool) {
        shown.append(.quote)
        let text = Self.decoded(content)
        let hidden =
            Redaction.mayHaveSecrets(text) ? redaction.text(text, depth: depth + 1) : text
        if hidden == text { shown += content } else { shown += Self.encoded(hidden) }
        if isClosed { shown.append(.quote) }
    }

    private func skippingBlanks(from start: Int) -> Int {
        bytes[start...].firstIndex { !Self.isBlank($0) } ?? bytes.endIndex
    }
}

extension JSONHiding {
    fileprivate static let namingNames: Set<String> = [
        "name", "key", "field", "header", "param", "parameter",
    ]
    fileprivate static let valueNames: Set<String> = ["value", "values", "content"]

    static func string(
        in text: ArraySlice<UInt8>,
        at quote: Int
    ) -> (content: Range<Int>, next: Int, isClosed: Bool) {
        var cursor = quote + 1
        while cursor < text.endIndex {
            if text[cursor] == .quote { return (quote + 1..<cursor, cursor + 1, true) }
            cursor += text[cursor] == .backslash ? 2 : 1
        }
        return (min(quote + 1, text.endIndex)..<text.endIndex, text.endIndex, false)
    }

    private static func isBlank(_ byte: UInt8) -> Bool { " \t\r\n".utf8.contains(byte) }

    private static func isPlain(_ byte: UInt8) -> Bool {
        97...122 ~= byte | 0x20 || 48...57 ~= byte || "+-.".utf8.contains(byte)
    }

    private static func isLiteral(_ word: ArraySlice<UInt8>, isCut: Bool) -> Bool {
        guard let first = word.first else { return false }
        if 48...57 ~= first || first == UInt8(ascii: "-") {
            return word.allSatisfy { 48...57 ~= $0 || "+-.eE".utf8.contains($0) }
        }
        return ["null", "true", "false"].contains {
            word.elementsEqual($0.utf8) || (isCut && $0.utf8.starts(with: word))
        }
    }

    /// Returns a string's content without its escapes; bytes that are not UTF-8 stay.
    private static func decoded(_ content: ArraySlice<UInt8>) -> [UInt8] {
        guard content.contains(.backslash) else { return Array(content) }
        var text: [UInt8] = []
        text.reserveCapacity(content.count)
        var cursor = content.startIndex
        while cursor < content.endIndex {
            guard content[cursor] == .backslash, cursor + 1 < content.endIndex else {
                text.append(content[cursor])
                cursor += 1
                continue
            }
            let byte = content[cursor + 1]
            cursor += 2
            switch byte {
            case UInt8(ascii: "n"): text.append(0x0A)
            case UInt8(ascii: "r"): text.append(0x0D)
            case UInt8(ascii: "t"): text.append(0x09)
            case UInt8(ascii: "b"): text.append(0x08)
            case UInt8(ascii: "f"): text.append(0x0C)
            case UInt8(ascii: "u"):
                let digits = content[cursor...].prefix(12)
                let unit = scalar(of: digits)
                text += Array(String(unit.scalar).utf8)
                cursor += unit.count
            default: text.append(byte)
            }
        }
        return text
    }

    // Decodes the digits of one UTF-16 code unit, or of two with `\u` between them.
    private static func scalar(of digits: ArraySlice<UInt8>) -> (scalar: Unicode.Scalar, count: Int)
    {
        func unit(_ digits: ArraySlice<UInt8>) -> UInt32? {
            digits.count == 4 ? UInt32(String(decoding: digits, as: UTF8.self), radix: 16) : nil
        }
        guard let high = unit(digits.prefix(4)) else { return ("\u{FFFD}", 0) }
        if let scalar = Unicode.Scalar(high) { return (scalar, 4) }
        let rest = digits.dropFirst(4)
        guard 0xD800..<0xDC00 ~= high, rest.starts(with: "\\u".utf8),
            let low = unit(rest.dropFirst(2).prefix(4)), 0xDC00..<0xE000 ~= low,
            let scalar = Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
        else { return ("\u{FFFD}", 4) }
        return (scalar, 10)
    }

    private static func encoded(_ text: [UInt8]) -> [UInt8] {
        var content: [UInt8] = []
        content.reserveCapacity(text.count)
        for byte in text {
            switch byte {
            case .quote, .backslash: content += [.backslash, byte]
            case 0x0A: content += Array("\\n".utf8)
            case 0x0D: content += Array("\\r".utf8)
            case 0x09: content += Array("\\t".utf8)
            case ..<0x20:
                content +=
                    Array("\\u00".utf8) + [
                        0x30 + byte >> 4, PercentEncoding.hexDigit(byte & 15),
                    ]
            default: content.append(byte)
            }
        }
        return content
    }
}
