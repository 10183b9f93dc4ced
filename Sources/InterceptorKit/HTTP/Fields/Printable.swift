extension HTTP {
    /// Returns quoted text with unprintable characters escaped, cut to 80 Unicode scalars, to show external
    /// text in an error.
    ///
    /// It is one line of at most 900 bytes. Controls, line separators, what turns the direction of writing,
    /// and marks without a character of their own to stand on are escaped as in a Swift literal.
    public static func printable(_ text: String) -> String {
        var shown = "\""
        var hasBase = false
        let scalars = text.unicodeScalars
        for scalar in scalars.prefix(80) {
            let isMark = scalar.properties.isGraphemeExtend
            switch scalar {
            case "\"", "\\": shown += "\\\(scalar)"
            case _ where scalar.isControl || isMark && !hasBase:
                shown += scalar.escaped(asASCII: true)
            default: shown.unicodeScalars.append(scalar)
            }
            hasBase = !isMark && !scalar.isControl && scalar != "\"" && scalar != "\\"
        }
        return shown + "\"" + (scalars.dropFirst(80).isEmpty ? "" : "…")
    }
}

extension Unicode.Scalar {
    /// Whether it is no character to read, and may end a line, drive a terminal or turn the direction of
    /// writing (Unicode TR 36 section 2); such as join letters are not among them.
    var isControl: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        case .format: self != "\u{200C}" && self != "\u{200D}"
        default: false
        }
    }
}

extension String {
    /// The text with U+FFFD for each control, apart from those that are kept.
    package func replacingControls(except isKept: (Unicode.Scalar) -> Bool) -> String {
        String(
            UnicodeScalarView(unicodeScalars.map { $0.isControl && !isKept($0) ? "\u{FFFD}" : $0 })
        )
    }
}
