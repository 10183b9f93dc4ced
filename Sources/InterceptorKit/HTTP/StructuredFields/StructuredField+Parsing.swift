extension HTTP.StructuredField.Item {
    /// Reads a field that is one item.
    /// - Parameter text: The field's lines, joined with commas.
    /// - Throws: ``HTTP/StructuredFieldError`` with the place and the rule.
    public init(parsing text: String) throws(HTTP.StructuredFieldError) {
        self = try StructuredFieldParser.parse(text) { parser throws(HTTP.StructuredFieldError) in
            try parser.item()
        }
    }
}

extension HTTP.StructuredField.List {
    /// Reads a field that is a list.
    /// - Parameter text: The field's lines, joined with commas; empty for no members.
    /// - Throws: ``HTTP/StructuredFieldError`` with the place and the rule.
    public init(parsing text: String) throws(HTTP.StructuredFieldError) {
        self = try StructuredFieldParser.parse(text) { parser throws(HTTP.StructuredFieldError) in
            try parser.list()
        }
    }
}

extension HTTP.StructuredField.KeyedValues<HTTP.StructuredField.Member> {
    /// Reads a field that is a dictionary.
    /// - Parameter text: The field's lines, joined with commas; empty for no members.
    /// - Throws: ``HTTP/StructuredFieldError`` with the place and the rule.
    public init(parsing text: String) throws(HTTP.StructuredFieldError) {
        self = try StructuredFieldParser.parse(text) { parser throws(HTTP.StructuredFieldError) in
            try parser.dictionary()
        }
    }
}

extension HTTP.Headers {
    /// Returns a field that is one structured item; `nil` without the field.
    /// - Throws: ``HTTP/StructuredFieldError`` with the place and the rule.
    public func structuredItem(
        _ name: String
    ) throws(HTTP.StructuredFieldError) -> HTTP.StructuredField.Item? {
        guard let text = self[name] else { return nil }
        return try HTTP.StructuredField.Item(parsing: text)
    }

    /// Returns a field that is a structured list; `nil` without the field.
    /// - Throws: ``HTTP/StructuredFieldError`` with the place and the rule.
    public func structuredList(
        _ name: String
    ) throws(HTTP.StructuredFieldError) -> HTTP.StructuredField.List? {
        guard let text = self[name] else { return nil }
        return try HTTP.StructuredField.List(parsing: text)
    }

    /// Returns a field that is a structured dictionary; `nil` without the field.
    /// - Throws: ``HTTP/StructuredFieldError`` with the place and the rule.
    public func structuredDictionary(
        _ name: String
    ) throws(HTTP.StructuredFieldError) -> HTTP.StructuredField.Dictionary? {
        guard let text = self[name] else { return nil }
        return try HTTP.StructuredField.Dictionary(parsing: text)
    }
}
