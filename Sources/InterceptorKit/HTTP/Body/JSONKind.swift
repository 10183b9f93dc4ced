/// Words for the kinds of JSON values that a decoder expected and found.
enum JSONKind {
    /// Returns the word for an expected type. For a type with members, decoders name their own dictionary or array.
    static func expected(_ type: Any.Type) -> String {
        if type == [String: Any].self { return "an object" }
        if type == [Any].self { return "an array" }
        return shorthand("\(type)")
    }

    /// Returns the kind that a decoder's sentence says it found. Other words of the sentence may be the server's.
    static func found(by sentence: String) -> String? {
        let kinds = [
            " found an array instead": "an array", " found a dictionary instead": "an object",
            " found a string instead": "a string", " found number instead": "a number",
            " found a number instead": "a number", " found bool instead": "a Boolean",
            " found a bool instead": "a Boolean", " found null instead": "null",
        ]
        return kinds.first { sentence.holds($0.key) }?.value
    }

    /// Returns a type's name with the shorthands of Swift, as in `[String: Order?]`.
    static func shorthand(_ name: String) -> String {
        guard let open = name.utf8.firstIndex(of: UInt8(ascii: "<")),
            name.utf8.last == UInt8(ascii: ">")
        else { return name }
        let parts = arguments(name[name.utf8.index(after: open)...].dropLast())
        switch (String(name[..<open]), parts.count) {
        case ("Array", 1): return "[\(parts[0])]"
        case ("Dictionary", 2): return "[\(parts[0]): \(parts[1])]"
        case ("Optional", 1): return "\(parts[0])?"
        case (let base, _): return "\(base)<\(parts.joined(separator: ", "))>"
        }
    }

    /// Returns the arguments of a generic type, split at the commas between them.
    private static func arguments(_ text: Substring) -> [String] {
        var parts: [[UInt8]] = [[]]
        var depth = 0
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "<"), UInt8(ascii: "("): depth += 1
            case UInt8(ascii: ">"), UInt8(ascii: ")"): depth -= 1
            default: break
            }
            if byte == UInt8(ascii: ","), depth == 0 {
                parts.append([])
            } else if byte != UInt8(ascii: " ") || !parts[parts.count - 1].isEmpty {
                parts[parts.count - 1].append(byte)
            }
        }
        return parts.map { shorthand(String(decoding: $0, as: UTF8.self)) }
    }
}
