/// Text as a word of a POSIX shell (POSIX.1-2024, section 2.2), safe to paste into a terminal.
enum ShellWord {
    /// Whether text has no control characters but tabs and line feeds: a terminal may act on others while
    /// they are pasted.
    static func isPlain(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { !$0.isControl || $0 == "\t" || $0 == "\n" }
    }

    /// Plain text.
    static func lines(_ text: String) -> String { "'\(escaped(text))'" }

    /// A line. No field or target has another control character of ASCII than a tab, and curl would send a second
    /// line as a field of its own, so they become U+FFFD; others, and bytes of a field that are not UTF-8, are written
    /// by `printf`.
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

    /// The format from which `printf` makes text, without control characters.
    /// - Parameter isField: Whether the bytes are those of `HTTP.FieldSyntax.bytes(of:)`. Defaults to `false`.
    static func format(_ text: String, ofField isField: Bool = false) -> String {
        var format = ""
        for (index, scalar) in text.unicodeScalars.enumerated() {
            switch scalar {
            case "\\": format += #"\\"#
            case "%": format += "%%"
            // Not for an option.
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

    // Within single quotes nothing means anything but a single quote.
    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            if scalar == "'" { escaped += #"'\''"# } else { escaped.unicodeScalars.append(scalar) }
        }
        return escaped
    }
}
