extension Redaction {
    /// Free text, as an error's description, with what looks like a secret hidden.
    ///
    /// Hidden are, in URLs within the text, what ``url(_:)`` hides; what follows the name of a hidden
    /// member or of a field of credentials and `=` or `:`, and that of a hidden parameter and `=`;
    /// what follows the name of an authentication scheme; and JSON Web Tokens (RFC 7519).
    public func text(_ text: String) -> String {
        var hiding = TextHiding(Array(text.utf8), self)
        return String(decoding: hiding.run(), as: UTF8.self)
    }

    // Parameters have names that sentences use before a colon too, as `code` and `key`.
    fileprivate func hidesValue(after name: String, _ sign: UInt8) -> Bool {
        let lowered = name.lowercased()
        return isHiddenMember(name) || Self.credentialFieldNames.contains(lowered)
            || (sign == UInt8(ascii: "=") && hiddenParameters.contains(lowered))
    }

    // Those of RFC 9110 sections 11.6 and 11.7, RFC 6265, and what services usually call theirs.
    private static let credentialFieldNames: Set<String> = [
        "authorization", "proxy-authorization", "cookie", "set-cookie", "x-api-key", "x-auth-token",
        "x-amz-security-token", "x-csrf-token", "www-authenticate", "proxy-authenticate", "dpop",
        "signature",
    ]
}

/// One walk over a text, word by word.
private struct TextHiding {
    private static let schemes: Set<String> = [
        "bearer", "basic", "digest", "dpop", "negotiate", "ntlm", "hawk", "token", "apikey",
        "aws4-hmac-sha256",
    ]
    private static let placeholder = Array(Redaction.placeholder.utf8)

    private let text: [UInt8]
    private let redaction: Redaction
    private var position = 0
    private var shown: [UInt8] = []

    init(_ text: [UInt8], _ redaction: Redaction) {
        self.text = text
        self.redaction = redaction
    }

    mutating func run() -> [UInt8] {
        shown.reserveCapacity(text.count)
        while position < text.count {
            if Self.isWord(text[position]) {
                word()
            } else {
                shown.append(text[position])
                position += 1
            }
        }
        return shown
    }

    private mutating func word() {
        let word = text[position...].prefix(while: Self.isWord)
        if text[word.endIndex...].starts(with: "://".utf8) { return url() }
        position = word.endIndex
        if Self.isJSONWebToken(word) {
            shown += Self.placeholder
            return
        }
        shown += word
        // As in `Credentials.token`.
        let start = word.lastIndex { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "/") }
        let name = String(
            decoding: word[(start.map { $0 + 1 } ?? word.startIndex)...],
            as: UTF8.self
        )
        if Self.schemes.contains(name.lowercased()), let gap = credentialGap() {
            shown += gap + Self.placeholder
            position = gap.endIndex
            skipValue(upTo: Self.isDelimiter)
        } else if let (gap, sign) = assignment(), redaction.hidesValue(after: name, sign) {
            shown += gap
            position = gap.endIndex
            hideAssigned(upTo: sign == UInt8(ascii: "=") ? Self.isFormDelimiter : Self.endsLine)
        }
    }

    private mutating func url() {
        let url = text[position...].prefix { !Self.endsURL($0) }
        position = url.endIndex
        shown += Array(redaction.url(String(decoding: url, as: UTF8.self)).utf8)
    }

    // Spaces between a scheme and its credentials, if what follows may be some.
    private func credentialGap() -> ArraySlice<UInt8>? {
        let gap = text[position...].prefix { $0 == UInt8(ascii: " ") }
        guard !gap.isEmpty, gap.endIndex < text.count, Self.isWord(text[gap.endIndex]) else {
            return nil
        }
        let value = text[gap.endIndex...].prefix { !Self.isDelimiter($0) }
        // A short word of letters after "token" or "digest" is a sentence going on.
        let letters = value.last == UInt8(ascii: ".") ? value.dropLast() : value
        let isWord = letters.allSatisfy { $0 | 0x20 >= 97 && $0 | 0x20 <= 122 }
        return isWord && letters.count < 12 ? nil : gap
    }

    // The rest of a name in quotes, spaces, and the sign between a name and its value.
    private func assignment() -> (gap: ArraySlice<UInt8>, sign: UInt8)? {
        var end = position
        func skip(_ accepted: String) {
            while end < text.count, accepted.utf8.contains(text[end]) { end += 1 }
        }
        skip("\\\"'")
        skip(" ")
        guard end < text.count else { return nil }
        let sign = text[end]
        guard sign == UInt8(ascii: "=") || sign == UInt8(ascii: ":") else { return nil }
        end += 1
        skip(" ")
        return end < text.count ? (text[position..<end], sign) : nil
    }

    private mutating func hideAssigned(upTo isEnd: (UInt8) -> Bool) {
        let open = text[position...].prefix { $0 == UInt8(ascii: "\\") }.endIndex
        if open < text.count, text[open] == UInt8(ascii: "\"") || text[open] == UInt8(ascii: "'") {
            let mark = text[open]
            shown += text[position...open] + Self.placeholder
            position = open + 1
            // A quote within the value is escaped, once more for each level of quoting.
            let depth = open - (text[..<open].lastIndex { $0 != UInt8(ascii: "\\") } ?? -1) - 1
            skipQuoted(mark, depth)
        } else {
            shown += Self.placeholder
            skipValue(upTo: isEnd)
        }
    }

    private mutating func skipQuoted(_ mark: UInt8, _ depth: Int) {
        var escapes = 0
        while position < text.count {
            if text[position] == mark, escapes <= depth {
                position -= escapes
                return
            }
            escapes = text[position] == UInt8(ascii: "\\") ? escapes + 1 : 0
            position += 1
        }
    }

    private mutating func skipValue(upTo isEnd: (UInt8) -> Bool) {
        while position < text.count, !isEnd(text[position]) { position += 1 }
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case 48...57, 65...90, 97...122, 128...: true
        default: "-_.~+/".utf8.contains(byte)
        }
    }

    private static func isDelimiter(_ byte: UInt8) -> Bool {
        byte <= 32 || "\"',;)]}>".utf8.contains(byte)
    }

    private static func isFormDelimiter(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "&") || isDelimiter(byte)
    }

    // A field's value may hold spaces and commas.
    private static func endsLine(_ byte: UInt8) -> Bool { byte == 10 || byte == 13 }

    private static func endsURL(_ byte: UInt8) -> Bool {
        byte <= 32 || "\"'<>`".utf8.contains(byte)
    }

    // RFC 7519: three parts in base64url, of which the first is a JSON object's.
    private static func isJSONWebToken(_ word: ArraySlice<UInt8>) -> Bool {
        word.starts(with: "eyJ".utf8) && word.count { $0 == UInt8(ascii: ".") } >= 1
    }
}
