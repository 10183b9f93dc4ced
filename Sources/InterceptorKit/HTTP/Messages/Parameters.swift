extension HTTP {
    /// The names and values of a query or a form, in order and with repeats. They are encoded when they are sent.
    public struct Parameters: Sendable, Hashable {
        /// A name and its value.
        public struct Pair: Sendable, Hashable {
            /// The name, not encoded.
            public let name: String
            /// The value, not encoded.
            public let value: String
        }

        private var pairs: [Pair] = []

        /// The form of spaces in names and values. Defaults to `%20`.
        public var spaceEncoding = SpaceEncoding.percentEscaped

        /// Creates an empty list.
        public init() {}

        /// Creates a list from pairs in order, including repeats.
        public init(_ pairs: [(name: String, value: String)]) {
            self.pairs = pairs.map { Pair(name: $0.name, value: $0.value) }
        }

        /// Adds a parameter at the end.
        public mutating func append(name: String, value: String) {
            pairs.append(Pair(name: name, value: value))
        }
    }
}

extension HTTP.Parameters {
    /// The form of spaces in names and values.
    public enum SpaceEncoding: Sendable {
        /// `%20`, which every reader of queries and forms accepts.
        case percentEscaped
        /// `+`, as browsers write forms.
        case plusReplaced
    }
}

extension HTTP.Parameters: RandomAccessCollection {
    public var startIndex: Int { pairs.startIndex }
    public var endIndex: Int { pairs.endIndex }
    public subscript(position: Int) -> Pair { pairs[position] }
}

extension HTTP.Parameters: ExpressibleByDictionaryLiteral {
    /// Creates a list from pairs in order, including repeats.
    public init(dictionaryLiteral elements: (String, String)...) { self.init(elements) }
}

extension HTTP.Parameters: CustomStringConvertible {
    /// The names, without the values, which may be secret.
    public var description: String { pairs.map(\.name).joined(separator: ", ") }
}

extension HTTP.Parameters.Pair: CustomStringConvertible {
    /// The name, without the value, which may be secret.
    public var description: String { name }
}

extension HTTP.Parameters.Pair: CustomReflectable {
    /// Only the name, so that `dump` and debuggers show no more than `description`.
    public var customMirror: Mirror { Mirror(self, children: ["name": name]) }
}

extension HTTP.Parameters: CustomReflectable {
    /// Only the names, so that `dump` and debuggers show no more than `description`.
    public var customMirror: Mirror { Mirror(self, children: ["names": description]) }
}

extension HTTP.Body {
    /// Returns a body with parameters as an HTML form sends them: `application/x-www-form-urlencoded`, in UTF-8.
    /// - Parameter parameters: Names and values, in the order in which they are sent.
    public static func form(_ parameters: HTTP.Parameters) -> HTTP.Body {
        .text(parameters.text { PercentEncoding.encode($0) }, as: .form)
    }
}

extension HTTP.Parameters {
    /// Returns the parameters as a query or form.
    /// - Parameter encode: Percent-encodes text.
    package func text(_ encode: (String) throws -> String) rethrows -> String {
        var text = ""
        for pair in pairs {
            if !text.isEmpty { text += "&" }
            try append(pair.name, to: &text, encode)
            text += "="
            try append(pair.value, to: &text, encode)
        }
        return text
    }

    private func append(
        _ part: String,
        to text: inout String,
        _ encode: (String) throws -> String
    ) rethrows {
        guard spaceEncoding == .plusReplaced else {
            text += try encode(part)
            return
        }
        let words = part.split(at: " ", omittingEmptySubsequences: false)
        for (index, word) in words.enumerated() {
            if index > 0 { text += "+" }
            text += try encode(String(word))
        }
    }
}
