/// Hides secrets in free text, in one pass over it, word by word.
struct TextHiding {
    private static let placeholder = Redaction.placeholderBytes

    let text: [UInt8]
    let redaction: Redaction
    let depth: Int
    var position = 0
    var shown: [UInt8] = []
    // No JSON begins before this index: a check of earlier text failed there.
    private var noJSONBefore = 0
    private var noStringBefore = 0
    // The index of the next `@`, which is searched for once.
    private var nextAt = 0
    // Whether the line consists of parameters, whose values end only at the next `&`.
    private var isForm = false

    init(_ text: [UInt8], _ redaction: Redaction, depth: Int) {
        self.text = text
        self.redaction = redaction
        self.depth = depth
    }

    /// Whether a text is of words only, without blanks, escapes or tokens, and of signs that cannot stand between a
    /// name and its value, so that nothing of it is hidden.
    ///
    /// So are the values of most fields that are shown.
    static func showsAll(of text: String) -> Bool {
        var before: (UInt8, UInt8) = (0, 0)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "J") where before == (UInt8(ascii: "e"), UInt8(ascii: "y")):
                return false
            case UInt8(ascii: ","), UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "*"):
                break
            default:
                guard isWord(byte) else { return false }
            }
            before = (before.1, byte)
        }
        return true
    }

    mutating func run() -> [UInt8] {
        shown.reserveCapacity(text.count)
        let line = text.prefix { !Self.endsLine($0) }
        isForm =
            line.contains(UInt8(ascii: "&"))
            && !line.prefix { $0 != UInt8(ascii: "=") }.contains(UInt8(ascii: " "))
        while position < text.count {
            let byte = text[position]
            if Self.isWord(byte) || byte == UInt8(ascii: "%") {
                word()
            } else if isEscapedBlank(at: position) {
                shown += text[position...(position + 1)]
                position += 2
            } else if "{[".utf8.contains(byte), position >= noJSONBefore, json() {
                continue
            } else if byte == .quote, position >= noStringBefore, string() {
                continue
            } else if byte == UInt8(ascii: "<"), element() {
                continue
            } else {
                if byte == UInt8(ascii: "&") { isForm = true }
                if Self.endsLine(byte) { isForm = false }
                shown.append(byte)
                position += 1
            }
        }
        return shown
    }

    private mutating func json() -> Bool {
        let end = JSONHiding.end(of: text[position...])
        guard end.isJSON else {
            noJSONBefore = end.index
            return false
        }
        shown += JSONHiding(text[position..<end.index], redaction, depth: depth).run()
        position = end.index
        return true
    }

    // A JSON string with escapes.
    private mutating func string() -> Bool {
        let string = JSONHiding.string(in: text[...], at: position)
        let isEscape = position > 0 && text[position - 1] == .backslash
        let isWhole = string.isClosed || text[..<position].allSatisfy { $0 <= 32 }
        noStringBefore = string.next
        guard isWhole, !isEscape, text[string.content].contains(.backslash) else { return false }
        shown += JSONHiding(text[position..<string.next], redaction, depth: depth).run()
        position = string.next
        return true
    }

    private mutating func word() {
        let word = text[position...].prefix(while: Self.isWithinWord)
        if let end = keyEnd {
            shown += Self.placeholder
            position = end
            return
        }
        if isAddress || text[word.endIndex...].starts(with: "://".utf8) { return url(word) }
        if let end = userInformationEnd(after: word) {
            shown += word + [UInt8(ascii: ":")] + Self.placeholder
            position = end
            return
        }
        position = word.endIndex
        let isEncoded = PercentEncoding.hasEscape(word)
        if Redaction.isWebToken(word)
            || isEncoded && !redaction.value(word, depth: depth).elementsEqual(word)
        {
            shown += Self.placeholder
            return
        }
        shown += word
        if let gap = credentialGap(after: word) {
            shown += gap
            position = gap.endIndex
            hideCredentials()
        } else if let (gap, sign) = assignment(), hides(word, sign, gap) {
            shown += gap
            position = gap.endIndex
            hideAssigned(sign, isMember: gap.first == .quote || gap.first == .backslash)
        } else if let gap = sentenceGap(after: word) {
            shown += gap + Self.placeholder
            position = gap.endIndex
            skip { $0 <= 32 }
        }
    }

    // Two slashes and a name, as in `//user:password@host`.
    private var isAddress: Bool {
        text[position] == UInt8(ascii: "/") && position + 2 < text.count
            && text[position + 1] == UInt8(ascii: "/") && Self.isWord(text[position + 2])
    }

    // The end of a private key in text (RFC 7468) that begins here.
    private var keyEnd: Int? {
        guard text[position] == UInt8(ascii: "-"),
            text[position...].starts(with: "-----BEGIN".utf8)
        else { return nil }
        let line = text[position...].prefix { !Self.endsLine($0) && $0 != .backslash }.prefix(64)
        guard line.firstRange(of: Array("PRIVATE KEY".utf8)) != nil else { return nil }
        let end = text[line.endIndex...].firstRange(of: Array("-----END".utf8))
        return end.map { end in
            text[end.upperBound...].dropFirst(1).prefix { 65...90 ~= $0 || "- ".utf8.contains($0) }
                .endIndex
        } ?? text.count
    }

    private mutating func url(_ word: ArraySlice<UInt8>) {
        // Text in quotes ends with them.
        let mark = position > 0 ? text[position - 1] : 0
        let isQuoted = "\"'`<".utf8.contains(mark)
        let closing = mark == UInt8(ascii: "<") ? UInt8(ascii: ">") : mark
        var end =
            text[position...].firstIndex {
                $0 <= 32 || (isQuoted ? $0 == closing : "\"<>`".utf8.contains($0))
            } ?? text.count
        // A password may contain blanks and quotes.
        let authority = text[position..<end].dropFirst(word.count).drop { $0 == 58 || $0 == 47 }
            .prefix { !"/?#".utf8.contains($0) }
        if !authority.contains(UInt8(ascii: "@")), let colon = authority.lastIndex(of: 58),
            !authority[(colon + 1)...].allSatisfy({ 48...57 ~= $0 }),
            let at = text[end...].prefix(SecretNames.nameLimit).prefix(while: { !Self.endsLine($0) }
            )
            .firstIndex(of: UInt8(ascii: "@"))
        {
            end = text[at...].firstIndex { $0 <= 32 || "\"'<>`".utf8.contains($0) } ?? text.count
        }
        shown += URLHiding(Array(text[position..<end]), redaction, depth: depth).run()
        position = end
    }

    // Returns the index of the `@` in `user:password@host` without a scheme.
    private mutating func userInformationEnd(after word: ArraySlice<UInt8>) -> Int? {
        guard word.endIndex < text.count, text[word.endIndex] == 58 else { return nil }
        if nextAt <= word.endIndex {
            nextAt = text[word.endIndex...].firstIndex(of: UInt8(ascii: "@")) ?? text.count
        }
        guard nextAt - word.endIndex <= SecretNames.nameLimit else { return nil }
        let password = text[(word.endIndex + 1)..<nextAt]
            .prefix { $0 > 32 && $0 != .quote && $0 != 0x3C && $0 != 0x3E }
        // The search comes last, because it takes longest.
        guard !password.isEmpty, password.endIndex == nextAt, nextAt + 1 < text.count,
            Self.isWord(text[password.endIndex + 1]),
            password.firstRange(of: Array("://".utf8)) == nil
        else { return nil }
        return password.endIndex
    }

    /// Whether an escape of a line break or tab begins at an index.
    func isEscapedBlank(at index: Int) -> Bool {
        text[index] == .backslash && index + 1 < text.count && "nrt".utf8.contains(text[index + 1])
    }

    func afterBlanks(_ start: Int) -> Int {
        var index = start
        while index < text.count {
            if " \t\r\n".utf8.contains(text[index]) {
                index += 1
            } else if isEscapedBlank(at: index) {
                index += 2
            } else {
                break
            }
        }
        return index
    }

    // Returns the text between a name and its value, and the sign in it; `nil` if no value follows. Before a quoted
    // value, a blank is enough, as in: The token 'abc' has expired.
    private func assignment() -> (gap: ArraySlice<UInt8>, sign: UInt8)? {
        var end = position
        func skip(_ accepted: String) {
            while end < text.count, accepted.utf8.contains(text[end]) { end += 1 }
        }
        skip("\"'`]}*")
        while end < text.count, text[end] == .backslash, !isEscapedBlank(at: end) { end += 1 }
        skip("\"'`")
        for entity in ["&quot;", "&#34;", "&#39;"] where text[end...].starts(with: entity.utf8) {
            end += entity.utf8.count
        }
        let name = end
        end = afterBlanks(end)
        guard end < text.count else { return nil }
        let sign = text[end]
        guard sign == UInt8(ascii: "=") || sign == UInt8(ascii: ":") else {
            let isQuoted = end > name && name == position && isQuote(at: end)
            return isQuoted ? (text[position..<end], sign) : nil
        }
        skip("=:>")
        end = afterBlanks(end)
        return end < text.count ? (text[position..<end], sign) : nil
    }

    private func hides(_ word: ArraySlice<UInt8>, _ sign: UInt8, _ gap: ArraySlice<UInt8>) -> Bool {
        switch redaction.names.visibility(of: Self.name(in: word)) {
        case .shown: return false
        case .hidden: return true
        case .hiddenUnlessPlain:
            guard sign != UInt8(ascii: "=") else { return true }
            let value = text[gap.endIndex...].drop { "\\\"'`".utf8.contains($0) }
            return !SecretNames.isPlain(
                value.prefix(65).prefix { !Self.endsLine($0) && !"\\\"'`,;}".utf8.contains($0) }
            )
        }
    }

    private mutating func hideAssigned(_ sign: UInt8, isMember: Bool) {
        if isQuote(at: position) {
            hideQuoted()
        } else if !isMember || !isLiteral {
            shown += Self.placeholder
            if let end = keyEnd { position = end }
            let isLine = sign != UInt8(ascii: "=") || isMember
            let value = text[position...].prefix { $0 > 32 }
            let endsAtBlank = !isLine && !isForm && credentialGap(after: value) == nil
            skip {
                Self.endsLine($0) || (endsAtBlank && $0 <= 32)
                    || (!isLine && $0 == UInt8(ascii: "&"))
            }
        }
    }

    private var isLiteral: Bool {
        let word = text[position...].prefix { 97...122 ~= $0 }
        return ["null", "true", "false"].contains { word.elementsEqual($0.utf8) }
    }

    private mutating func hideQuoted() {
        let open = text[position...].prefix { $0 == .backslash }.endIndex
        let mark = text[open]
        // A quote within the value has one more escape for each level of quoting.
        let escapes = open - position
        shown += text[position...open] + Self.placeholder
        position = open + 1
        skipQuoted(mark, escapes)
    }

    /// Whether a quote, possibly escaped, begins at an index.
    func isQuote(at index: Int) -> Bool {
        text[index...].first { $0 != .backslash }.map { "\"'`".utf8.contains($0) } ?? false
    }

    private mutating func hideCredentials() {
        if isQuote(at: position) { return hideQuoted() }
        shown += Self.placeholder
        let value = text[position...].prefix { !Self.isDelimiter($0) }
        position = value.endIndex
        // Any of these parameters may be secret.
        let sign = value.firstIndex(of: UInt8(ascii: "="))
        guard let sign,
            !value[sign...].allSatisfy({ $0 == UInt8(ascii: "=") })
                || (position < text.count && text[position] == .quote)
        else {
            return
        }
        skip { Self.endsLine($0) }
    }

    private mutating func skipQuoted(_ mark: UInt8, _ depth: Int) {
        var escapes = 0
        while position < text.count {
            if text[position] == mark, escapes <= depth {
                position -= escapes
                return
            }
            escapes = text[position] == .backslash ? escapes + 1 : 0
            position += 1
        }
    }

    private mutating func skip(to isEnd: (UInt8) -> Bool) {
        while position < text.count, !isEnd(text[position]) { position += 1 }
    }
}
