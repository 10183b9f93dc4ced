extension HTTP.StructuredField.Item {
    /// Returns the field's value (RFC 9651 section 4.1.3).
    /// - Throws: ``HTTP/StructuredFieldError`` if a part cannot be written.
    public func serialized() throws(HTTP.StructuredFieldError) -> String {
        var text = ""
        try write(to: &text)
        return text
    }

    fileprivate func write(to text: inout String) throws(HTTP.StructuredFieldError) {
        try value.write(to: &text)
        try parameters.writeParameters(to: &text)
    }
}

extension HTTP.StructuredField.InnerList {
    /// Returns the list as it is written in a field (RFC 9651 section 4.1.1.1).
    /// - Throws: ``HTTP/StructuredFieldError`` if a part cannot be written.
    public func serialized() throws(HTTP.StructuredFieldError) -> String {
        var text = ""
        try write(to: &text)
        return text
    }

    fileprivate func write(to text: inout String) throws(HTTP.StructuredFieldError) {
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
    fileprivate func write(to text: inout String) throws(HTTP.StructuredFieldError) {
        switch self {
        case .item(let item): try item.write(to: &text)
        case .innerList(let list): try list.write(to: &text)
        }
    }
}

extension HTTP.StructuredField.List {
    /// Returns the field's value; empty without members, in which case no field is sent (RFC 9651 section
    /// 4.1.1).
    /// - Throws: ``HTTP/StructuredFieldError`` if a part cannot be written.
    public func serialized() throws(HTTP.StructuredFieldError) -> String {
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
    /// - Throws: ``HTTP/StructuredFieldError`` if a part cannot be written.
    public func serialized() throws(HTTP.StructuredFieldError) -> String {
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
    ) throws(HTTP.StructuredFieldError) {
        guard HTTP.StructuredField.isKey(key) else {
            throw HTTP.StructuredFieldError(
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
    ) throws(HTTP.StructuredFieldError) {
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
    /// Returns whether text can name a member or a parameter (RFC 9651 section 3.1.2).
    public static func isKey(_ text: String) -> Bool {
        text.utf8.first?.beginsKey == true && text.utf8.allSatisfy(\.continuesKey)
    }
}
