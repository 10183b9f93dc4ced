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
