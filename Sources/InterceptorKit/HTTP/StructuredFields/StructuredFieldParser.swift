/// Reads a structured field from its first byte to its last, never going back (RFC 9651 section 4.2).
struct StructuredFieldParser {
    typealias Failure = HTTP.StructuredFieldError

    private let bytes: [UInt8]
    var position = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    /// What is read next; `nil` at the end.
    var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// Takes what is read next.
    mutating func take() -> UInt8? {
        guard position < bytes.count else { return nil }
        defer { position += 1 }
        return bytes[position]
    }

    /// Takes what is read next if it is this.
    mutating func take(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    /// Takes bytes while they are of a kind.
    mutating func take(while isOfKind: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        let start = position
        while let byte = next, isOfKind(byte) { position += 1 }
        return bytes[start..<position]
    }

    mutating func skipSpaces() { while take(.space) {} }

    mutating func skipBlanks() { while take(.space) || take(.tab) {} }

    /// A failure at what is read next.
    func failure(_ code: Failure.Code, _ rule: String, _ section: String) -> Failure {
        failure(code, rule, section, at: position)
    }

    func failure(_ code: Failure.Code, _ rule: String, _ section: String, at position: Int)
        -> Failure
    {
        Failure(code: code, position: position, section: section, rule: rule)
    }

    /// A failure because what is read next, or the end, cannot be there.
    func unexpected(_ rule: String, _ section: String) -> Failure {
        failure(next == nil ? .unexpectedEnd : .unexpectedCharacter, rule, section)
    }
}

extension StructuredFieldParser {
    /// Reads a whole field.
    static func parse<Value>(
        _ text: String,
        _ read: (inout StructuredFieldParser) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        var parser = StructuredFieldParser(text)
        parser.skipSpaces()
        let value = try read(&parser)
        parser.skipSpaces()
        guard parser.next == nil else {
            throw parser.failure(
                .unexpectedCharacter,
                "nothing may follow the value",
                "4.2"
            )
        }
        return value
    }

    mutating func list() throws(Failure) -> HTTP.StructuredField.List {
        var members: [HTTP.StructuredField.Member] = []
        while next != nil {
            members.append(try member())
            if try !comma("4.2.1") { break }
        }
        return HTTP.StructuredField.List(members)
    }

    mutating func dictionary() throws(Failure) -> HTTP.StructuredField.Dictionary {
        var dictionary = HTTP.StructuredField.Dictionary()
        while next != nil {
            let key = try key()
            if take(UInt8(ascii: "=")) {
                dictionary[key] = try member()
            } else {
                dictionary[key] = .init(.boolean(true), try parameters())
            }
            if try !comma("4.2.2") { break }
        }
        return dictionary
    }

    /// Takes the comma before another member; `false` at the end.
    private mutating func comma(_ section: String) throws(Failure) -> Bool {
        skipBlanks()
        if next == nil { return false }
        guard take(UInt8(ascii: ",")) else {
            throw failure(
                .unexpectedCharacter,
                "a comma or the end must follow a member",
                section
            )
        }
        skipBlanks()
        guard next != nil else {
            throw failure(.unexpectedEnd, "a member must follow the comma", section)
        }
        return true
    }

    private mutating func member() throws(Failure) -> HTTP.StructuredField.Member {
        if next == UInt8(ascii: "(") { .innerList(try innerList()) } else { .item(try item()) }
    }

    private mutating func innerList() throws(Failure) -> HTTP.StructuredField.InnerList {
        _ = take(UInt8(ascii: "("))
        var items: [HTTP.StructuredField.Item] = []
        while true {
            skipSpaces()
            if take(UInt8(ascii: ")")) { break }
            items.append(try item())
            guard next == .space || next == UInt8(ascii: ")") else {
                throw unexpected(
                    "a space or a closing parenthesis must follow an item",
                    "4.2.1.2"
                )
            }
        }
        return HTTP.StructuredField.InnerList(items, try parameters())
    }

    mutating func item() throws(Failure) -> HTTP.StructuredField.Item {
        let value = try bareItem()
        return HTTP.StructuredField.Item(value, try parameters())
    }

    private mutating func parameters() throws(Failure) -> HTTP.StructuredField.Parameters {
        var parameters = HTTP.StructuredField.Parameters()
        while take(UInt8(ascii: ";")) {
            skipSpaces()
            let key = try key()
            parameters[key] = take(UInt8(ascii: "=")) ? try bareItem() : .boolean(true)
        }
        return parameters
    }

    private mutating func key() throws(Failure) -> String {
        guard let first = next, first.beginsKey else {
            throw unexpected("a key must begin with a lower-case letter or *", "4.2.3.3")
        }
        return String(decoding: take(while: \.continuesKey), as: UTF8.self)
    }
}
