/// A parser of structured fields that never goes back (RFC 9651 section 4.2).
struct StructuredFieldParser {
    typealias Failure = HTTP.FieldError

    private let bytes: [UInt8]
    private var position = 0

    private init(_ text: String) { bytes = Array(text.utf8) }

    /// The next byte; `nil` at the end.
    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func take() -> UInt8? {
        guard position < bytes.count else { return nil }
        defer { position += 1 }
        return bytes[position]
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    private mutating func take(while isOfKind: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        let start = position
        while let byte = next, isOfKind(byte) { position += 1 }
        return bytes[start..<position]
    }

    private mutating func skipSpaces() { while take(.space) {} }

    private mutating func skipBlanks() { while take(.space) || take(.tab) {} }

    private func failure(_ code: Failure.Code, _ rule: String, _ section: String) -> Failure {
        failure(code, rule, section, at: position)
    }

    private func failure(
        _ code: Failure.Code,
        _ rule: String,
        _ section: String,
        at position: Int
    ) -> Failure {
        Failure(code: code, position: position, section: section, rule: rule)
    }

    /// Returns a failure because the next byte, or the end, is not allowed there.
    private func unexpected(_ rule: String, _ section: String) -> Failure {
        failure(next == nil ? .unexpectedEnd : .unexpectedCharacter, rule, section)
    }
}

extension StructuredFieldParser {
    static func parse<Value>(
        _ text: String,
        _ read: (inout StructuredFieldParser) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        var parser = StructuredFieldParser(text)
        parser.skipSpaces()
        let value = try read(&parser)
        parser.skipSpaces()
        guard parser.next == nil else {
            throw parser.failure(
                .unexpectedCharacter,
                "nothing may follow the value",
                "4.2"
            )
        }
        return value
    }

    mutating func list() throws(Failure) -> HTTP.StructuredField.List {
        var members: [HTTP.StructuredField.Member] = []
        while next != nil {
            members.append(try member())
            if try !comma("4.2.1") { break }
        }
        return HTTP.StructuredField.List(members)
    }

    mutating func dictionary() throws(Failure) -> HTTP.StructuredField.Dictionary {
        var dictionary = HTTP.StructuredField.Dictionary()
        while next != nil {
            let key = try key()
            if take(UInt8(ascii: "=")) {
                dictionary[key] = try member()
            } else {
                dictionary[key] = .init(.boolean(true), try parameters())
            }
            if try !comma("4.2.2") { break }
        }
        return dictionary
    }

    /// Takes the comma before another member; returns `false` at the end.
    private mutating func comma(_ section: String) throws(Failure) -> Bool {
        skipBlanks()
        if next == nil { return false }
        guard take(UInt8(ascii: ",")) else {
            throw failure(
                .unexpectedCharacter,
                "a comma or the end must follow a member",
                section
            )
        }
        skipBlanks()
        guard next != nil else {
            throw failure(.unexpectedEnd, "a member must follow the comma", section)
        }
        return true
    }

    private mutating func member() throws(Failure) -> HTTP.StructuredField.Member {
        if next == UInt8(ascii: "(") { .innerList(try innerList()) } else { .item(try item()) }
    }

    private mutating func innerList() throws(Failure) -> HTTP.StructuredField.InnerList {
        _ = take(UInt8(ascii: "("))
        var items: [HTTP.StructuredField.Item] = []
        while true {
            skipSpaces()
            if take(UInt8(ascii: ")")) { break }
            items.append(try item())
            guard next == .space || next == UInt8(ascii: ")") else {
                throw unexpected(
                    "a space or a closing parenthesis must follow an item",
                    "4.2.1.2"
                )
            }
        }
        return HTTP.StructuredField.InnerList(items, try parameters())
    }

    mutating func item() throws(Failure) -> HTTP.StructuredField.Item {
        let value = try bareItem()
        return HTTP.StructuredField.Item(value, try parameters())
    }

    private mutating func parameters() throws(Failure) -> HTTP.StructuredField.Parameters {
        var parameters = HTTP.StructuredField.Parameters()
        while take(UInt8(ascii: ";")) {
            skipSpaces()
            let key = try key()
            parameters[key] = take(UInt8(ascii: "=")) ? try bareItem() : .boolean(true)
        }
        return parameters
    }

    private mutating func key() throws(Failure) -> String {
        guard let first = next, first.beginsKey else {
            throw unexpected("a key must begin with a lower-case letter or *", "4.2.3.3")
        }
        return String(decoding: take(while: \.continuesKey), as: UTF8.self)
    }
}

extension StructuredFieldParser {
    private mutating func bareItem() throws(Failure) -> HTTP.StructuredField.BareItem {
        guard let first = next else { throw unexpected("a value must begin", "4.2.3.1") }
        switch first {
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        case .quote: return .string(try string())
        case UInt8(ascii: ":"): return .bytes(try byteSequence())
        case UInt8(ascii: "?"): return .boolean(try boolean())
        case UInt8(ascii: "@"): return .date(try date())
        case .percent: return .displayString(try displayString())
        case _ where first.beginsToken:
            return .token(String(decoding: take(while: \.continuesToken), as: UTF8.self))
        default: throw unexpected("a value must begin", "4.2.3.1")
        }
    }

    private mutating func number() throws(Failure) -> HTTP.StructuredField.BareItem {
        let start = position
        let sign = take(UInt8(ascii: "-")) ? -1 : 1
        guard next?.isDigit == true else { throw unexpected("a digit must follow", "4.2.4") }
        let whole = take(while: \.isDigit)
        guard take(UInt8(ascii: ".")) else {
            guard whole.count <= 15 else {
                throw failure(
                    .invalidNumber,
                    "an integer has at most 15 digits",
                    "4.2.4",
                    at: start
                )
            }
            return .integer(sign * whole.number)
        }
        let fraction = take(while: \.isDigit)
        guard whole.count <= 12, 1...3 ~= fraction.count else {
            throw failure(
                .invalidNumber,
                "a decimal has at most 12 digits before the point and 1 to 3 behind it",
                "4.2.4",
                at: start
            )
        }
        let scale = [100, 10, 1][fraction.count - 1]
        let thousandths = whole.number * 1000 + fraction.number * scale
        return .decimal(HTTP.StructuredField.Decimal(thousandths: sign * thousandths))
    }

    private mutating func string() throws(Failure) -> String {
        _ = take(.quote)
        var text: [UInt8] = []
        while true {
            text += take { $0.isPrintable && $0 != .quote && $0 != .backslash }
            if take(.quote) { return String(decoding: text, as: UTF8.self) }
            guard take(.backslash) else {
                throw next == nil
                    ? failure(.unexpectedEnd, "a string must be closed", "4.2.5")
                    : failure(.invalidString, "a string holds printable ASCII only", "4.2.5")
            }
            guard let escaped = next, escaped == .quote || escaped == .backslash else {
                throw next == nil
                    ? failure(.unexpectedEnd, "a string must be closed", "4.2.5")
                    : failure(.invalidString, "only quotes and backslashes are escaped", "4.2.5")
            }
            position += 1
            text.append(escaped)
        }
    }

    private mutating func byteSequence() throws(Failure) -> [UInt8] {
        _ = take(UInt8(ascii: ":"))
        let start = position
        let text = take { $0 != UInt8(ascii: ":") }
        guard take(UInt8(ascii: ":")) else {
            throw failure(.unexpectedEnd, "bytes must be closed by a colon", "4.2.7")
        }
        guard let bytes = Base64.decode(text) else {
            throw failure(.invalidBytes, "bytes must be in Base64", "4.2.7", at: start)
        }
        return bytes
    }

    private mutating func boolean() throws(Failure) -> Bool {
        _ = take(UInt8(ascii: "?"))
        if take(UInt8(ascii: "1")) { return true }
        if take(UInt8(ascii: "0")) { return false }
        throw unexpected("a boolean is ?0 or ?1", "4.2.8")
    }

    private mutating func date() throws(Failure) -> Int {
        _ = take(UInt8(ascii: "@"))
        let start = position
        guard case .integer(let seconds) = try number() else {
            throw failure(.invalidDate, "a date is a whole number of seconds", "4.2.9", at: start)
        }
        return seconds
    }

    private mutating func displayString() throws(Failure) -> String {
        let start = position
        _ = take(.percent)
        guard take(.quote) else { throw unexpected("a quote must follow", "4.2.10") }
        var text: [UInt8] = []
        while true {
            text += take { $0.isPrintable && $0 != .quote && $0 != .percent }
            if take(.quote) { break }
            guard take(.percent) else {
                throw next == nil
                    ? failure(.unexpectedEnd, "a display string must be closed", "4.2.10")
                    : failure(
                        .invalidDisplayString,
                        "only printable ASCII stands unescaped",
                        "4.2.10"
                    )
            }
            guard let high = next?.lowerCaseHexadecimalValue, take() != nil,
                let low = next?.lowerCaseHexadecimalValue, take() != nil
            else {
                throw next == nil
                    ? failure(.unexpectedEnd, "a display string must be closed", "4.2.10")
                    : failure(
                        .invalidDisplayString,
                        "two lower-case hexadecimal digits must follow a percent sign",
                        "4.2.10"
                    )
            }
            text.append(high << 4 | low)
        }
        guard let string = String(validating: text, as: UTF8.self) else {
            throw failure(.invalidDisplayString, "a display string is UTF-8", "4.2.10", at: start)
        }
        return string
    }
}

extension ArraySlice<UInt8> {
    /// The number in at most 15 digits.
    fileprivate var number: Int { reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) } }
}
