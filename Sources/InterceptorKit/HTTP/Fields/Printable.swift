extension HTTP {
    /// Returns text in quotes, with unprintable characters escaped, cut to 80 Unicode scalars, to show external text in
    /// an error.
    ///
    /// The result is one line of at most 900 bytes. Controls, line separators, characters that change the direction of
    /// writing, and combining marks without a base character are escaped as in a Swift literal.
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
    /// Whether the scalar is invisible and may end a line, control a terminal or change the direction of writing
    /// (Unicode TR 36 section 2). The joiners U+200C and U+200D do none of these.
    var isControl: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        case .format: self != "\u{200C}" && self != "\u{200D}"
        default: false
        }
    }
}

extension String {
    /// Returns the text with U+FFFD in place of each control character, except for those that are kept.
    package func replacingControls(except isKept: (Unicode.Scalar) -> Bool) -> String {
        String(
            UnicodeScalarView(unicodeScalars.map { $0.isControl && !isKept($0) ? "\u{FFFD}" : $0 })
        )
    }
}
