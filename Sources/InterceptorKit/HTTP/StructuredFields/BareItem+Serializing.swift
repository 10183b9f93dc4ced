extension HTTP.StructuredField.BareItem {
    /// Returns the value as it is written in a field (RFC 9651 section 4.1.3.1).
    /// - Throws: ``HTTP/StructuredFieldError`` if it cannot be written.
    public func serialized() throws(HTTP.StructuredFieldError) -> String {
        var text = ""
        try write(to: &text)
        return text
    }

    func write(to text: inout String) throws(HTTP.StructuredFieldError) {
        switch self {
        case .integer(let value):
            text += "\(try Self.checked(value, "an integer", "4.1.4"))"
        case .decimal(let value):
            _ = try Self.checked(value.thousandths, "a decimal times 1,000", "4.1.5")
            text += value.description
        case .string(let value):
            try Self.write(string: value, to: &text)
        case .token(let value):
            guard value.utf8.first?.beginsToken == true, value.utf8.allSatisfy(\.continuesToken)
            else {
                throw Self.failure(
                    .invalidToken,
                    "a token begins with a letter or * and holds no blanks, quotes and brackets",
                    "4.1.7"
                )
            }
            text += value
        case .bytes(let value):
            text += ":\(Base64.encode(value)):"
        case .boolean(let value):
            text += value ? "?1" : "?0"
        case .date(let value):
            text += "@\(try Self.checked(value, "a date", "4.1.10"))"
        case .displayString(let value):
            Self.write(displayString: value, to: &text)
        }
    }

    private static func checked(
        _ value: Int,
        _ what: String,
        _ section: String
    ) throws(HTTP.StructuredFieldError) -> Int {
        guard -999_999_999_999_999...999_999_999_999_999 ~= value else {
            throw failure(.invalidNumber, "\(what) has at most 15 digits", section)
        }
        return value
    }

    private static func write(
        string: String,
        to text: inout String
    ) throws(HTTP.StructuredFieldError) {
        guard string.utf8.allSatisfy(\.isPrintable) else {
            throw failure(
                .invalidString,
                "a string holds printable ASCII only; use a display string",
                "4.1.6"
            )
        }
        text += "\""
        if !string.utf8.allSatisfy(\.isPlainInStrings) {
            for character in string.unicodeScalars {
                if character == "\"" || character == "\\" { text += "\\" }
                text.unicodeScalars.append(character)
            }
        } else {
            text += string
        }
        text += "\""
    }

    private static func write(displayString: String, to text: inout String) {
        text += "%\""
        for byte in displayString.utf8 {
            if byte.isPrintable && byte != .percent && byte != .quote {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += "%\(CollectionOfOne(byte).hexadecimal)"
            }
        }
        text += "\""
    }

    private static func failure(
        _ code: HTTP.StructuredFieldError.Code,
        _ rule: String,
        _ section: String
    ) -> HTTP.StructuredFieldError {
        HTTP.StructuredFieldError(code: code, position: nil, section: section, rule: rule)
    }
}
