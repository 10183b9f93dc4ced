/// Hides the values of named members in JSON text, leaving every other byte as it is.
///
/// Works on any text, also on what is not quite JSON, on lines of JSON, on events that carry it and on
/// JSON quoted inside a string of JSON: wherever a quoted name and a colon stand, the value after them
/// is hidden if the name is. `null`, `true` and `false` are kept.
struct JSONMemberHiding {
    /// Longer names are not looked at, so that the cost grows with the text's length alone.
    static let nameLimit = 256

    let isHidden: (String) -> Bool
    private let placeholder = Array(Redaction.placeholder.utf8)

    init(isHidden: @escaping (String) -> Bool) { self.isHidden = isHidden }

    func hiding(in bytes: [UInt8]) -> [UInt8] {
        guard let shortened = JSONQuoteEscapes.shortened(bytes) else {
            return hidingShortened(bytes)
        }
        let shown = hidingShortened(shortened)
        return shown == shortened ? bytes : shown
    }

    private func hidingShortened(_ bytes: [UInt8]) -> [UInt8] {
        var shown: [UInt8] = []
        var copied = 0
        var cursor = 0
        var escapes = 0
        while cursor < bytes.count {
            let byte = bytes[cursor]
            if byte == .quote, let value = hiddenValue(in: bytes, nameAt: cursor, escapes) {
                shown += bytes[copied..<value.range.lowerBound]
                let quote = Array(repeating: UInt8.backslash, count: escapes) + [.quote]
                shown += value.isQuoted ? placeholder : quote + placeholder + quote
                copied = value.range.upperBound
                cursor = copied
                escapes = 0
            } else {
                escapes = byte == .backslash ? escapes + 1 : 0
                cursor += 1
            }
        }
        return copied == 0 ? bytes : shown + bytes[copied...]
    }

    // A quote `n` strings deep stands behind 2^n - 1 backslashes; a longer run is content.
    private func hiddenValue(
        in bytes: [UInt8],
        nameAt opening: Int,
        _ escapes: Int
    ) -> (range: Range<Int>, isQuoted: Bool)? {
        guard escapes & (escapes + 1) == 0 else { return nil }
        let names = bytes[(opening + 1)...].prefix(Self.nameLimit + 1)
        guard let closing = names.firstIndex(of: .quote),
            bytes[(opening + 1)..<closing].reversed().prefix(while: { $0 == .backslash }).count
                == escapes,
            isHidden(decoded(bytes[(opening + 1)..<(closing - escapes)]))
        else { return nil }
        var cursor = afterBlanks(in: bytes, closing + 1, escapes)
        guard cursor < bytes.count, bytes[cursor] == UInt8(ascii: ":") else { return nil }
        cursor = afterBlanks(in: bytes, cursor + 1, escapes)
        let quote = cursor + escapes
        if quote < bytes.count, bytes[quote] == .quote,
            bytes[cursor..<quote].allSatisfy({ $0 == .backslash })
        {
            let end = endOfString(in: bytes, quote + 1, escapes)
            return end.isEmpty(after: quote) ? nil : (quote + 1..<end.content, true)
        }
        guard cursor < bytes.count else { return nil }
        let end =
            bytes[cursor] == UInt8(ascii: "{") || bytes[cursor] == UInt8(ascii: "[")
            ? endOfContainer(in: bytes, cursor, escapes)
            : bytes[cursor...].firstIndex { ",]}\\ \t\r\n".utf8.contains($0) } ?? bytes.count
        let isPlain = ["null", "true", "false"].contains {
            bytes[cursor..<end].elementsEqual($0.utf8)
        }
        return isPlain || end == cursor ? nil : (cursor..<end, false)
    }

    private struct StringEnd {
        let content: Int
        let next: Int

        func isEmpty(after quote: Int) -> Bool { content <= quote + 1 }
    }

    private func endOfString(in bytes: [UInt8], _ start: Int, _ escapes: Int) -> StringEnd {
        var run = 0
        for cursor in start..<max(start, bytes.count) {
            if bytes[cursor] == .quote, run % (2 * (escapes + 1)) == escapes {
                return StringEnd(content: cursor - escapes, next: cursor + 1)
            }
            run = bytes[cursor] == .backslash ? run + 1 : 0
        }
        return StringEnd(content: bytes.count, next: bytes.count)
    }

    private func endOfContainer(in bytes: [UInt8], _ start: Int, _ escapes: Int) -> Int {
        var depth = 0
        var run = 0
        var cursor = start
        while cursor < bytes.count {
            switch bytes[cursor] {
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth == 0 { return cursor + 1 }
            case .quote where run == escapes:
                cursor = endOfString(in: bytes, cursor + 1, escapes).next
                run = 0
                continue
            default: break
            }
            run = bytes[cursor] == .backslash ? run + 1 : 0
            cursor += 1
        }
        return bytes.count
    }

    // Inside a quoted string, line breaks and tabs are escaped too.
    private func afterBlanks(in bytes: [UInt8], _ start: Int, _ escapes: Int) -> Int {
        var cursor = start
        while cursor < bytes.count {
            if " \t\r\n".utf8.contains(bytes[cursor]) {
                cursor += 1
                continue
            }
            let run = bytes[cursor...].prefix { $0 == .backslash }.count
            guard escapes > 0, run > 0, cursor + run < bytes.count,
                "ntr".utf8.contains(bytes[cursor + run])
            else { break }
            cursor += run + 1
        }
        return cursor
    }

    private func decoded(_ name: ArraySlice<UInt8>) -> String {
        guard name.contains(.backslash) else { return String(decoding: name, as: UTF8.self) }
        var text = ""
        var rest = name
        while let byte = rest.first {
            guard byte == .backslash else {
                let plain = rest.prefix { $0 != .backslash }
                text += String(decoding: plain, as: UTF8.self)
                rest = rest[plain.endIndex...]
                continue
            }
            rest = rest.drop { $0 == .backslash }
            let digits = String(decoding: rest.dropFirst().prefix(4), as: UTF8.self)
            if rest.first == UInt8(ascii: "u"), let code = UInt32(digits, radix: 16),
                let scalar = Unicode.Scalar(code)
            {
                text.unicodeScalars.append(scalar)
                rest = rest.dropFirst(5)
            }
        }
        return text
    }
}
