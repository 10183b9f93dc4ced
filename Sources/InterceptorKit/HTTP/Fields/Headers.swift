extension HTTP {
    /// Header fields in order, with their original spelling and repeats; names are compared without regard to case (RFC
    /// 9110 section 5).
    ///
    /// An invalid name (not a token) or a value with CR, LF or NUL is never stored. The first such mistake is kept as
    /// ``problem``, and a request that has one is refused before anything is sent. A value with another control
    /// character may be received, but is refused in a request. A received value that is not UTF-8 keeps its bytes: see
    /// ``FieldSyntax/text(of:)``.
    public struct Headers: Sendable {
        /// One field line.
        public struct Field: Sendable, Hashable {
            /// The name as spelled.
            public let name: String
            /// The value, without surrounding white space.
            public let value: String

            /// Creates a field line.
            /// - Parameters:
            ///   - name: A token (RFC 9110 section 5.6.2).
            ///   - value: Text without CR, LF or NUL; surrounding white space is removed.
            /// - Throws: A ``HTTP/RequestError`` that names the field, never its value.
            public init(name: String, value: String) throws(HTTP.RequestError) {
                var flaw = Flaw.none
                try self.init(name: name, value: value, &flaw)
            }

            fileprivate init(
                name: String,
                value: String,
                _ flaw: inout Flaw
            ) throws(HTTP.RequestError) {
                guard HTTP.FieldSyntax.isToken(name) else {
                    throw HTTP.RequestError(
                        .invalidField,
                        "The field name \(HTTP.printable(name)) is not a token (RFC 9110 section 5.6.2)."
                    )
                }
                flaw = Flaw(of: value)
                guard flaw != .lineBreak else {
                    throw HTTP.RequestError(
                        .invalidField,
                        "The value of the field \(name) contains CR, LF or NUL, which would let it add fields "
                            + "of its own (RFC 9110 section 5.5)."
                    )
                }
                self.name = name
                self.value = HTTP.FieldSyntax.trimmed(value)
            }
        }

        /// A kind of character that no value may have (RFC 9110 section 5.5).
        fileprivate enum Flaw {
            case none
            /// CR, LF or NUL.
            case lineBreak
            /// Another control character, except for the tab.
            case control

            /// Looks at eight bytes at once first, since almost no value has a control character.
            init(of value: String) {
                var value = value
                let found = value.withUTF8 { bytes in
                    var found: UInt8 = 0
                    guard
                        unsafe ByteMarks.mayMark(
                            UnsafeRawBufferPointer(bytes),
                            ByteMarks.controls
                        )
                    else {
                        return found
                    }
                    for index in bytes.indices {
                        // Safety: the index is one of the buffer's own.
                        let byte = unsafe bytes[index]
                        found |= byte == 0 || byte == 10 || byte == 13 ? 2 : 0
                        found |= (byte < 0x20 && byte != 9) || byte == 0x7F ? 1 : 0
                    }
                    return found
                }
                self = found & 2 != 0 ? .lineBreak : found == 0 ? .none : .control
            }
        }

        private var fields: [Field] = []

        // Boxed, because every request makes room for one and almost none has one.
        private var refusal: Refusal?

        private indirect enum Refusal {
            case first(RequestError)
            /// A value with a control character was stored, and may have been removed since.
            case control
        }

        /// The first name or value that was refused; `nil` if none was.
        public var problem: RequestError? {
            guard case .first(let error)? = refusal else { return nil }
            return error
        }

        /// The error for sending the list: ``problem``, or that of a value that may only be received.
        var sendingProblem: RequestError? {
            guard case .control? = refusal,
                let field = fields.first(where: { Flaw(of: $0.value) == .control })
            else { return problem }
            return RequestError(
                .invalidField,
                "The value of the field \(field.name) contains a control character, which no field may "
                    + "have (RFC 9110 section 5.5). Remove or encode it."
            )
        }

        /// Creates an empty list.
        public init() {}

        /// Creates a list from pairs in order, including repeats.
        public init(_ pairs: some Sequence<(String, String)>) {
            fields.reserveCapacity(pairs.underestimatedCount)
            for (name, value) in pairs { append(name: name, value: value) }
        }

        /// All values for a name joined with `, `, or `nil` (RFC 9110 section 5.3).
        ///
        /// Setting a value replaces the first field of that name in its place and removes the others; setting
        /// `nil` removes all. `Set-Cookie` cannot be joined: use ``values(_:)``.
        public subscript(name: String) -> String? {
            get {
                var found: String?
                // By index, because an iterator retains every field.
                for index in fields.indices
                where HTTP.FieldSyntax.isSameName(fields[index].name, name) {
                    guard found != nil else {
                        found = fields[index].value
                        continue
                    }
                    // Appended in place, because a server may send thousands of lines of one name.
                    found?.append(", ")
                    found?.append(fields[index].value)
                }
                return found
            }
            set {
                guard let newValue else {
                    fields.removeAll { HTTP.FieldSyntax.isSameName($0.name, name) }
                    return
                }
                guard let field = checked(name, newValue) else { return }
                guard let index = firstIndex(of: name) else {
                    fields.append(field)
                    return
                }
                fields[index] = field
                let later = fields[(index + 1)...]
                guard later.contains(where: { HTTP.FieldSyntax.isSameName($0.name, name) }) else {
                    return
                }
                let others = later.filter { !HTTP.FieldSyntax.isSameName($0.name, name) }
                fields.replaceSubrange((index + 1)..., with: others)
            }
        }

        /// Returns every value for a name, in order.
        public func values(_ name: String) -> [String] {
            guard let first = firstIndex(of: name) else { return [] }
            var values = [fields[first].value]
            for index in (first + 1)..<fields.count
            where HTTP.FieldSyntax.isSameName(fields[index].name, name) {
                values.append(fields[index].value)
            }
            return values
        }

        /// Returns whether there is a field of that name.
        public func contains(_ name: String) -> Bool { firstIndex(of: name) != nil }

        /// Reserves room for fields, so that adding them does not copy.
        /// - Parameter count: The total number of fields.
        public mutating func reserveCapacity(_ count: Int) { fields.reserveCapacity(count) }

        /// Adds a field line at the end.
        public mutating func append(name: String, value: String) {
            guard let field = checked(name, value) else { return }
            fields.append(field)
        }

        /// Adds a field unless there is one of that name.
        public mutating func setIfAbsent(name: String, value: String) {
            if !contains(name) { append(name: name, value: value) }
        }

        /// Removes all fields that have one of the names.
        /// - Parameter names: The names, in any case.
        public mutating func removeAll(named names: some Sequence<String>) {
            let names = Set(names.map { $0.lowercased() })
            fields.removeAll { names.contains($0.name.lowercased()) }
        }

        private func firstIndex(of name: String) -> Int? {
            for index in fields.indices
            where HTTP.FieldSyntax.isSameName(fields[index].name, name) {
                return index
            }
            return nil
        }

        private mutating func checked(_ name: String, _ value: String) -> Field? {
            do throws(RequestError) {
                var flaw = Flaw.none
                let field = try Field(name: name, value: value, &flaw)
                if flaw == .control { refusal = refusal ?? .control }
                return field
            } catch {
                if problem == nil { refusal = .first(error) }
                return nil
            }
        }
    }
}

extension HTTP.Headers: RandomAccessCollection {
    public var startIndex: Int { fields.startIndex }
    public var endIndex: Int { fields.endIndex }
    public subscript(position: Int) -> Field { fields[position] }
}

extension HTTP.Headers: Hashable {
    /// Whether both have the same fields in the same order, names compared without regard to case.
    public static func == (left: Self, right: Self) -> Bool {
        left.fields.elementsEqual(right.fields) {
            HTTP.FieldSyntax.isSameName($0.name, $1.name) && $0.value == $1.value
        }
    }

    public func hash(into hasher: inout Hasher) {
        for field in fields {
            hasher.combine(field.name.lowercased())
            hasher.combine(field.value)
        }
    }
}

extension HTTP.Headers: ExpressibleByDictionaryLiteral {
    /// Creates a list from pairs in order, including repeats.
    public init(dictionaryLiteral elements: (String, String)...) {
        self.init(elements)
    }
}

extension HTTP.Headers: CustomStringConvertible {
    /// The fields, with the values of unlisted ones redacted.
    public var description: String {
        Redaction.standard.headers(self).map { "\($0.name): \($0.value)" }.joined(separator: "\n")
    }
}

extension HTTP.Headers.Field: CustomStringConvertible {
    /// The field, with its value redacted unless it is listed.
    public var description: String {
        let shown = Redaction.standard.headers(HTTP.Headers([(name, value)]))
        return "\(name): \(shown.first?.value ?? "")"
    }
}

extension HTTP.Headers.Field: CustomReflectable {
    /// The description, so that `dump` and debuggers show no more.
    public var customMirror: Mirror { Mirror(self, children: ["field": description]) }
}

extension HTTP.Headers: CustomReflectable {
    /// The redacted fields, so that `dump` and debuggers show no more than `description`.
    public var customMirror: Mirror { Mirror(self, children: ["fields": description]) }
}
