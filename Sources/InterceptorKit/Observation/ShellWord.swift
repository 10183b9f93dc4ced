/// Text as a word of a POSIX shell (POSIX.1-2024, section 2.2), safe to paste into a terminal.
enum ShellWord {
    /// Whether text has no control characters except tabs and line feeds: a terminal may act on others in pasted text.
    static func isPlain(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { !$0.isControl || $0 == "\t" || $0 == "\n" }
    }

    /// Returns plain text as a word.
    static func lines(_ text: String) -> String { "'\(escaped(text))'" }

    /// Returns a line as a word. Fields and targets contain no ASCII control character except tabs, and curl would send
    /// a second line as a field of its own, so such characters become U+FFFD. `printf` writes other control characters,
    /// and bytes of a field that are not UTF-8.
    static func line(_ text: String) -> String {
        let line = String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { scalar in
                    let isRefused = scalar.isASCII && scalar.isControl && scalar != "\t"
                    return isRefused ? "\u{FFFD}" : scalar
                }
            )
        )
        let isText = HTTP.FieldSyntax.bytes(of: line).count == line.utf8.count
        if isText, isPlain(line) { return lines(line) }
        return "\"$(printf \(format(line, ofField: true)))\""
    }

    /// Returns a `printf` format for text, without control characters.
    /// - Parameter isField: Whether the bytes are those of `HTTP.FieldSyntax.bytes(of:)`. Defaults to `false`.
    static func format(_ text: String, ofField isField: Bool = false) -> String {
        var format = ""
        for (index, scalar) in text.unicodeScalars.enumerated() {
            switch scalar {
            case "\\": format += #"\\"#
            case "%": format += "%%"
            // A leading hyphen would begin an option.
            case "-" where index == 0: format += #"\055"#
            case "\r": format += #"\r"#
            case "\n": format += #"\n"#
            case _ where scalar.isControl:
                for byte in String(scalar).utf8 { format += #"\"# + octal(byte) }
            case _ where isField && !scalar.isASCII:
                for byte in HTTP.FieldSyntax.bytes(of: String(scalar)) {
                    format += #"\"# + octal(byte)
                }
            default: format.unicodeScalars.append(scalar)
            }
        }
        return lines(format)
    }

    private static func octal(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 8)
        return String(repeating: "0", count: 3 - digits.utf8.count) + digits
    }

    // Within single quotes, only the single quote is special.
    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            if scalar == "'" { escaped += #"'\''"# } else { escaped.unicodeScalars.append(scalar) }
        }
        return escaped
    }
}
