extension Unicode.Scalar {
    /// Whether the scalar is invisible and may end a line, control a terminal or change the direction of writing
    /// (Unicode TR 36 section 2). The joiners U+200C and U+200D do none of these.
    package var isControl: Bool {
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

    /// Returns the text on one line: with `; ` in place of each line feed and U+FFFD in place of every other control
    /// character but tabs, so that text from outside cannot look like another record.
    package var onOneLine: String {
        replacingControls { $0 == "\t" || $0 == "\n" }
            .split(at: "\n", omittingEmptySubsequences: false).joined(separator: "; ")
    }
}
