/// Splits a command line into words, with the quotes and escapes of a POSIX shell and no other shell syntax.
enum ShellWords {
    /// - Returns: The words; `nil` if a quote or an escape is not terminated.
    static func split(_ text: String) -> [String]? {
        var words: [String] = []
        var word: String?
        var quote: Unicode.Scalar?
        var scalars = text.unicodeScalars.makeIterator()
        while let scalar = scalars.next() {
            switch (quote, scalar) {
            case (let open?, _) where scalar == open:
                quote = nil
            case ("'"?, _):
                word?.unicodeScalars.append(scalar)
            case (_, "\\"):
                guard let escaped = scalars.next() else { return nil }
                // Within quotes, only the quote and the backslash can be escaped.
                if let quote, escaped != quote, escaped != "\\" {
                    word?.unicodeScalars.append(scalar)
                }
                word = word ?? ""
                word?.unicodeScalars.append(escaped)
            case (nil, "'"), (nil, "\""):
                quote = scalar
                word = word ?? ""
            case (nil, " "), (nil, "\t"), (nil, "\r"), (nil, "\n"):
                if let word { words.append(word) }
                word = nil
            default:
                word = word ?? ""
                word?.unicodeScalars.append(scalar)
            }
        }
        guard quote == nil else { return nil }
        if let word { words.append(word) }
        return words
    }
}
