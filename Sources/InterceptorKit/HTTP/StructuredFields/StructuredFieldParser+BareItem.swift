extension StructuredFieldParser {
    mutating func bareItem() throws(Failure) -> HTTP.StructuredField.BareItem {
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
    /// The number of at most 15 digits.
    fileprivate var number: Int { reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) } }
}
