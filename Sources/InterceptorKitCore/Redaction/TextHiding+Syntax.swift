extension TextHiding {
    private static let schemes: Set<String> = [
        "bearer", "basic", "dpop", "negotiate", "ntlm", "hawk",
    ]
    // Ordinary words that name a scheme only if the next word looks like credentials.
    private static let words: Set<String> = [
        "digest", "token", "apikey", "signature", "oauth", "aws", "sso-key",
    ]
    // Words that continue a sentence after a scheme's name.
    private static let following: Set<String> = [
        "token", "tokens", "auth", "authentication", "authorization", "access", "credential",
        "credentials", "scheme", "schemes", "challenge", "challenges", "is", "was", "are", "were",
        "or", "and", "with", "without", "in", "of", "for", "to", "not", "has", "had", "must", "may",
        "can", "cannot", "only", "required", "missing", "expired", "invalid", "header", "field",
        "realm", "usage", "type", "method", "methods", "support", "request", "requests", "as", "at",
        "by", "from", "when", "if", "that", "which", "but", "nor", "login", "password", "proof",
        "proofs", "key", "keys", "nonce", "bound", "value", "failed", "needs", "does", "is.",
    ]

    /// Returns the blanks between an authentication scheme and text that may be its credentials.
    func credentialGap(after word: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let gap = text[word.endIndex...].prefix { $0 == 32 || $0 == 9 }
        guard !gap.isEmpty, word.count <= 64, gap.endIndex < text.count else { return nil }
        let name = String(decoding: Self.name(in: word), as: UTF8.self).lowercased()
        let isScheme = Self.schemes.contains(name) || name.holds("-hmac-")
        guard isScheme || Self.words.contains(name) else { return nil }
        if isQuote(at: gap.endIndex) { return gap }
        guard Self.isWord(text[gap.endIndex]) else { return nil }
        let value = text[gap.endIndex...].prefix { !Self.isDelimiter($0) }
        let letters = value.last == UInt8(ascii: ".") ? value.dropLast() : value
        guard letters.allSatisfy({ 97...122 ~= $0 | 0x20 }) else { return gap }
        // A short word of letters after "token" or "digest" continues the sentence.
        guard isScheme else { return letters.count < 12 ? nil : gap }
        let next = String(decoding: letters.prefix(20), as: UTF8.self).lowercased()
        return Self.following.contains(next) ? nil : gap
    }

    /// Returns the text between a name and its value in a sentence, as in: The API key provided was wrong: abc.
    ///
    /// Only if the value does not look like a word, because many sentences are about secrets.
    func sentenceGap(after word: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        var end = word.endIndex
        // A small letter is looked for first, because a look at a name takes longest.
        guard end + 1 < text.count, text[end] == 32, 97...122 ~= text[end + 1],
            redaction.names.visibility(of: Self.name(in: word)) != .shown
        else { return nil }
        for _ in 0..<4 {
            guard end < text.count, text[end] == 32 else { return nil }
            let next = text[(end + 1)...].prefix(20).prefix { 97...122 ~= $0 }
            guard !next.isEmpty, next.endIndex < text.count else { return nil }
            end = next.endIndex
            if text[end] == UInt8(ascii: ":") {
                end += 1
            } else if !next.elementsEqual("is".utf8), !next.elementsEqual("was".utf8) {
                continue
            }
            let start = text[end...].prefix { $0 == 32 }.endIndex
            let value = text[start...].prefix(65).prefix { $0 > 32 }
            guard start > end, !value.isEmpty else { return nil }
            let isPlain =
                SecretNames.isPlain(value) || value.firstRange(of: Array("://".utf8)) != nil
            if !isPlain { return text[word.endIndex..<start] }
            if text[end - 1] == UInt8(ascii: ":") { return nil }
        }
        return nil
    }

    // Returns the last part of a word, as `token` in `Credentials.token`.
    static func name(in word: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let start = word.lastIndex { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "/") }
        return word[(start.map { $0 + 1 } ?? word.startIndex)...]
    }

    /// Writes an XML or HTML element; hides its text if its name is hidden, or its `value` if its `name` attribute is.
    /// Returns whether there is such an element here.
    mutating func element() -> Bool {
        let tag = text[(position + 1)...].prefix(1024)
        if let value = namedValue(in: tag) {
            shown += redaction.text(Array(text[position..<value.lowerBound]), depth: depth + 1)
            shown += Redaction.placeholderBytes
            position = value.upperBound
            return true
        }
        let name = tag.prefix { Self.isWord($0) && $0 != 0x2F || $0 == UInt8(ascii: ":") }
        let local = name[
            (name.lastIndex(of: UInt8(ascii: ":")).map { $0 + 1 } ?? name.startIndex)...
        ]
        let visibility = redaction.names.visibility(of: local)
        guard !name.isEmpty, visibility != .shown,
            let close = Self.end(ofTag: tag[name.endIndex...]),
            text[close - 1] != UInt8(ascii: "/")
        else { return false }
        let opening = Array("<![CDATA[".utf8)
        let isData = text[(close + 1)...].starts(with: opening)
        let start = close + 1 + (isData ? opening.count : 0)
        let mark = isData ? Array("]]>".utf8) : [UInt8(ascii: "<")]
        let end = text[start...].firstRange(of: mark)?.lowerBound ?? text.count
        let content = text[start..<end]
        guard content.contains(where: { $0 > 32 }),
            visibility == .hidden || !SecretNames.isPlain(content)
        else { return false }
        let attributes = Array(text[name.endIndex..<close])
        shown += text[position..<name.endIndex]
        shown += redaction.text(attributes, depth: depth + 1)
        shown += text[close..<start] + Redaction.placeholderBytes
        position = end
        return true
    }

    // Returns the index of a tag's `>`, which may also occur in the quotes of an attribute.
    private static func end(ofTag rest: ArraySlice<UInt8>) -> Int? {
        var mark: UInt8?
        for index in rest.indices {
            let byte = rest[index]
            if let open = mark {
                if byte == open { mark = nil }
            } else if byte == UInt8(ascii: ">") {
                return index
            } else if byte == .quote || byte == UInt8(ascii: "'") {
                mark = byte
            }
        }
        // If a quote is not closed, quotes are ignored.
        return rest.firstIndex(of: UInt8(ascii: ">"))
    }

    // Returns the range of a form field's value if its name is hidden.
    private func namedValue(in tag: ArraySlice<UInt8>) -> Range<Int>? {
        guard let first = tag.first, 97...122 ~= first | 0x20 else { return nil }
        let tag =
            Self.end(ofTag: tag).map { tag[..<$0] } ?? tag.prefix { $0 != UInt8(ascii: "<") }
        func attribute(_ name: String) -> ArraySlice<UInt8>? {
            guard let start = tag.firstRange(of: Array(" \(name)=".utf8)) else { return nil }
            let value = tag[start.upperBound...]
            guard let mark = value.first, mark == .quote || mark == UInt8(ascii: "'") else {
                return value.prefix { $0 > 32 }
            }
            return value.dropFirst().prefix { $0 != mark }
        }
        guard let name = attribute("name"), let value = attribute("value"), !value.isEmpty,
            redaction.names.visibility(of: name) != .shown
        else { return nil }
        return value.startIndex..<value.endIndex
    }

    static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case 48...57, 65...90, 97...122, 128...: true
        // The signs -_.~+ and the slash.
        case 0x2D, 0x5F, 0x2E, 0x7E, 0x2B, 0x2F: true
        default: false
        }
    }

    /// Includes the bytes of parameters' names that are encoded or in brackets.
    static func isWithinWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "%"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "$"): true
        default: isWord(byte)
        }
    }

    static func isDelimiter(_ byte: UInt8) -> Bool {
        byte <= 32 || "\"',;)]}>".utf8.contains(byte)
    }

    static func endsLine(_ byte: UInt8) -> Bool { byte == 10 || byte == 13 }
}
