/// A parser of challenges (RFC 9110 section 11.3).
///
/// Commas separate challenges as well as their parameters. After a comma, a token before `=` names a parameter; any
/// other token is the scheme of the next challenge.
struct ChallengeParser {
    private let bytes: [UInt8]
    private var cursor = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    mutating func challenges() throws(HTTP.FieldError) -> [HTTP.Challenge] {
        var challenges: [HTTP.Challenge] = []
        skipSeparators()
        while cursor < bytes.count {
            challenges.append(try challenge())
            try endElement()
        }
        return challenges
    }

    mutating func onlyParameters() throws(HTTP.FieldError) -> [HTTP.Challenge.Parameter] {
        let parameters = try parameters()
        skipSeparators()
        guard cursor == bytes.count else { throw failure("a parameter") }
        return parameters
    }

    private mutating func challenge() throws(HTTP.FieldError) -> HTTP.Challenge {
        guard let scheme = token() else { throw failure("a scheme") }
        // A blank separates a scheme from its parameters: in `A, b=c`, b is no parameter of A.
        guard isBlank(current) else { return HTTP.Challenge(scheme: scheme) }
        let start = cursor
        skipBlanks()
        if let text = token68() { return HTTP.Challenge(scheme: scheme, token68: text) }
        let parameters = try parameters()
        if parameters.isEmpty { cursor = start }
        return HTTP.Challenge(scheme: scheme, parameters: parameters)
    }

    private mutating func parameters() throws(HTTP.FieldError) -> [HTTP.Challenge.Parameter] {
        var parameters: [HTTP.Challenge.Parameter] = []
        while true {
            let start = cursor
            skipSeparators()
            guard let parameter = try parameter() else {
                cursor = start
                return parameters
            }
            parameters.append(parameter)
            skipBlanks()
            guard current == nil || current == UInt8(ascii: ",") else { throw failure("a comma") }
        }
    }

    private mutating func parameter() throws(HTTP.FieldError) -> HTTP.Challenge.Parameter? {
        guard let name = token() else { return nil }
        skipBlanks()
        guard current == UInt8(ascii: "=") else { return nil }
        cursor += 1
        skipBlanks()
        if current == UInt8(ascii: "\"") {
            return HTTP.Challenge.Parameter(name: name, value: try quotedString())
        }
        guard let value = token() else { throw failure("a value") }
        return HTTP.Challenge.Parameter(name: name, value: value)
    }

    private mutating func endElement() throws(HTTP.FieldError) {
        skipBlanks()
        guard current == nil || current == UInt8(ascii: ",") else { throw failure("a comma") }
        skipSeparators()
    }

    private mutating func token() -> String? {
        let token = bytes[cursor...].prefix(while: HTTP.FieldSyntax.isTokenByte)
        guard !token.isEmpty else { return nil }
        cursor = token.endIndex
        return String(decoding: token, as: UTF8.self)
    }

    // A token68 fills its element, whereas `realm=foo` only begins like one.
    private mutating func token68() -> String? {
        let letters = bytes[cursor...].prefix { isLetterOrDigit($0) || "-._~+/".utf8.contains($0) }
        guard !letters.isEmpty else { return nil }
        let padding = bytes[letters.endIndex...].prefix { $0 == UInt8(ascii: "=") }
        let after = bytes[padding.endIndex...].drop(while: isBlank)
        guard after.isEmpty || after.first == UInt8(ascii: ",") else { return nil }
        let text = bytes[cursor..<padding.endIndex]
        cursor = padding.endIndex
        return String(decoding: text, as: UTF8.self)
    }

    private mutating func quotedString() throws(HTTP.FieldError) -> String {
        var content: [UInt8] = []
        var index = cursor + 1
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""):
                cursor = index + 1
                return String(decoding: content, as: UTF8.self)
            case UInt8(ascii: "\\"):
                index += 1
                guard index < bytes.count else { break }
                content.append(bytes[index])
            case let byte:
                content.append(byte)
            }
            index += 1
        }
        cursor = bytes.count
        throw failure("a closing quote")
    }

    private var current: UInt8? { cursor < bytes.count ? bytes[cursor] : nil }

    private mutating func skipBlanks() {
        while isBlank(current) { cursor += 1 }
    }

    private mutating func skipSeparators() {
        while isBlank(current) || current == UInt8(ascii: ",") { cursor += 1 }
    }

    private func failure(_ expected: String) -> HTTP.FieldError {
        HTTP.FieldError(
            code: .malformedChallenge,
            position: cursor,
            section: nil,
            rule: "a challenge must have \(expected)"
        )
    }

    // Line breaks too, since they only occur in the value of a folded field line.
    private func isBlank(_ byte: UInt8?) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A
    }

    private func isLetterOrDigit(_ byte: UInt8) -> Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
            || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
    }
}
