extension HTTP.TraceContext {
    /// What one tracing system says of a trace.
    struct StateMember: Hashable, Sendable {
        let key: String
        let value: String

        // Section 3.3.1.3: a key of at most 256 characters, and as many of a value.
        init?(_ text: Substring.UTF8View) {
            guard let equals = text.firstIndex(of: UInt8(ascii: "=")) else { return nil }
            let key = text[..<equals]
            let value = text[text.index(after: equals)...]
            guard 1...256 ~= key.count, let first = key.first, Self.isAlphanumeric(first),
                key.allSatisfy(Self.isKeyByte), 1...256 ~= value.count,
                value.allSatisfy(Self.isValueByte)
            else { return nil }
            self.key = String(Substring(key))
            self.value = String(Substring(value))
        }

        private static func isAlphanumeric(_ byte: UInt8) -> Bool {
            97...122 ~= byte || 48...57 ~= byte
        }

        private static func isKeyByte(_ byte: UInt8) -> Bool {
            isAlphanumeric(byte) || "_-*/@".utf8.contains(byte)
        }

        private static func isValueByte(_ byte: UInt8) -> Bool {
            0x20...0x7e ~= byte && byte != UInt8(ascii: ",") && byte != UInt8(ascii: "=")
        }
    }

    /// The members of all `tracestate` fields, the newest first; `nil` if one is not valid or there are
    /// more than 32 (section 3.3.1.1). Of two with one key the newer counts.
    static func members(of fields: [String]) -> [StateMember]? {
        var members: [StateMember] = []
        var count = 0
        for field in fields {
            for part in field.utf8.split(separator: UInt8(ascii: ",")) {
                let text = HTTP.FieldSyntax.trimmed(String(Substring(part)))
                if text.isEmpty { continue }
                count += 1
                guard count <= 32, let member = StateMember(text[...].utf8) else { return nil }
                if !members.contains(where: { $0.key == member.key }) { members.append(member) }
            }
        }
        return members
    }
}
