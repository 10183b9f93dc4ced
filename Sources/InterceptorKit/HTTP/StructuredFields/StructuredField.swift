extension HTTP {
    /// The common syntax of structured fields (RFC 9651, which replaces RFC 8941): items, lists and dictionaries.
    ///
    /// ```swift
    /// let priority = try HTTP.StructuredField.Dictionary(parsing: "u=2, i;why=\"first view\"")
    /// print(priority["u"]?.value?.integer ?? 3)  // 2
    /// ```
    ///
    /// Parsing accepts exactly what the RFC allows, in time and memory proportional to the text. A value is checked
    /// when it is serialised, so you can make values that cannot be sent. A parsed value serialises to the canonical
    /// form.
    public enum StructuredField {}
}

extension HTTP.StructuredField.Item {
    /// Reads a field that is one item.
    /// - Parameter text: The field's lines, joined with commas.
    /// - Throws: ``HTTP/FieldError`` with the place and the rule.
    public init(parsing text: String) throws(HTTP.FieldError) {
        self = try StructuredFieldParser.parse(text) { parser throws(HTTP.FieldError) in
            try parser.item()
        }
    }
}

extension HTTP.StructuredField.List {
    /// Reads a field that is a list.
    /// - Parameter text: The field's lines, joined with commas; empty for no members.
    /// - Throws: ``HTTP/FieldError`` with the place and the rule.
    public init(parsing text: String) throws(HTTP.FieldError) {
        self = try StructuredFieldParser.parse(text) { parser throws(HTTP.FieldError) in
            try parser.list()
        }
    }
}

extension HTTP.StructuredField.KeyedValues<HTTP.StructuredField.Member> {
    /// Reads a field that is a dictionary.
    /// - Parameter text: The field's lines, joined with commas; empty for no members.
    /// - Throws: ``HTTP/FieldError`` with the place and the rule.
    public init(parsing text: String) throws(HTTP.FieldError) {
        self = try StructuredFieldParser.parse(text) { parser throws(HTTP.FieldError) in
            try parser.dictionary()
        }
    }
}

extension HTTP.Headers {
    /// Returns a field that is one structured item; `nil` without the field.
    /// - Throws: ``HTTP/FieldError`` with the place and the rule.
    public func structuredItem(
        _ name: String
    ) throws(HTTP.FieldError) -> HTTP.StructuredField.Item? {
        guard let text = self[name] else { return nil }
        return try HTTP.StructuredField.Item(parsing: text)
    }

    /// Returns a field that is a structured list; `nil` without the field.
    /// - Throws: ``HTTP/FieldError`` with the place and the rule.
    public func structuredList(
        _ name: String
    ) throws(HTTP.FieldError) -> HTTP.StructuredField.List? {
        guard let text = self[name] else { return nil }
        return try HTTP.StructuredField.List(parsing: text)
    }

    /// Returns a field that is a structured dictionary; `nil` without the field.
    /// - Throws: ``HTTP/FieldError`` with the place and the rule.
    public func structuredDictionary(
        _ name: String
    ) throws(HTTP.FieldError) -> HTTP.StructuredField.Dictionary? {
        guard let text = self[name] else { return nil }
        return try HTTP.StructuredField.Dictionary(parsing: text)
    }
}

extension HTTP.StructuredField.Item {
    /// Returns the field's value (RFC 9651 section 4.1.3).
    /// - Throws: ``HTTP/FieldError`` if a part cannot be written.
    public func serialized() throws(HTTP.FieldError) -> String {
        var text = ""
        try write(to: &text)
        return text
    }

    fileprivate func write(to text: inout String) throws(HTTP.FieldError) {
        try value.write(to: &text)
        try parameters.writeParameters(to: &text)
    }
}

extension HTTP.StructuredField.InnerList {
    /// Returns the list as it is written in a field (RFC 9651 section 4.1.1.1).
    /// - Throws: ``HTTP/FieldError`` if a part cannot be written.
    public func serialized() throws(HTTP.FieldError) -> String {
        var text = ""
        try write(to: &text)
        return text
    }

    fileprivate func write(to text: inout String) throws(HTTP.FieldError) {
        text += "("
        for (index, item) in items.enumerated() {
            if index > 0 { text += " " }
            try item.write(to: &text)
        }
        text += ")"
        try parameters.writeParameters(to: &text)
    }
}

extension HTTP.StructuredField.Member {
    fileprivate func write(to text: inout String) throws(HTTP.FieldError) {
        switch self {
        case .item(let item): try item.write(to: &text)
        case .innerList(let list): try list.write(to: &text)
        }
    }
}

extension HTTP.StructuredField.List {
    /// Returns the field's value; empty without members, in which case no field is sent (RFC 9651 section
    /// 4.1.1).
    /// - Throws: ``HTTP/FieldError`` if a part cannot be written.
    public func serialized() throws(HTTP.FieldError) -> String {
        var text = ""
        for (index, member) in members.enumerated() {
            if index > 0 { text += ", " }
            try member.write(to: &text)
        }
        return text
    }
}

extension HTTP.StructuredField.KeyedValues<HTTP.StructuredField.Member> {
    /// Returns the field's value; empty without members, in which case no field is sent (RFC 9651 section
    /// 4.1.2).
    /// - Throws: ``HTTP/FieldError`` if a part cannot be written.
    public func serialized() throws(HTTP.FieldError) -> String {
        var text = ""
        for (index, (key, member)) in enumerated() {
            if index > 0 { text += ", " }
            try write(key: key, to: &text)
            if case .item(let item) = member, item.value == .boolean(true) {
                try item.parameters.writeParameters(to: &text)
            } else {
                text += "="
                try member.write(to: &text)
            }
        }
        return text
    }
}

extension HTTP.StructuredField.KeyedValues {
    fileprivate func write(
        key: String,
        to text: inout String
    ) throws(HTTP.FieldError) {
        guard HTTP.StructuredField.isKey(key) else {
            throw HTTP.FieldError(
                code: .invalidKey,
                position: nil,
                section: "4.1.1.3",
                rule:
                    "a key begins with a lower-case letter or * and goes on with these, digits and _-."
            )
        }
        text += key
    }
}

extension HTTP.StructuredField.KeyedValues<HTTP.StructuredField.BareItem> {
    fileprivate func writeParameters(
        to text: inout String
    ) throws(HTTP.FieldError) {
        for (key, value) in self {
            text += ";"
            try write(key: key, to: &text)
            if value == .boolean(true) { continue }
            text += "="
            try value.write(to: &text)
        }
    }
}

extension HTTP.StructuredField {
    /// Returns whether text is a valid key of a member or a parameter (RFC 9651 section 3.1.2).
    public static func isKey(_ text: String) -> Bool {
        text.utf8.first?.beginsKey == true && text.utf8.allSatisfy(\.continuesKey)
    }
}
