extension HTTP {
    /// Names and values in order, repeats kept: a query's or a form's. Encoded when they are sent.
    public struct Parameters: Sendable, Hashable {
        /// One of them.
        public struct Pair: Sendable, Hashable {
            /// The name as it is meant, not encoded.
            public let name: String
            /// The value as it is meant, not encoded.
            public let value: String
        }

        private var pairs: [Pair] = []

        /// Creates an empty list.
        public init() {}

        /// Creates a list from pairs, in order, repeats kept.
        public init(_ pairs: some Sequence<(String, String)>) {
            self.pairs = pairs.map { Pair(name: $0, value: $1) }
        }

        /// Adds one after those there are.
        public mutating func append(name: String, value: String) {
            pairs.append(Pair(name: name, value: value))
        }

        var asTuples: [(name: String, value: String)] { pairs.map { ($0.name, $0.value) } }
    }
}

extension HTTP.Parameters: RandomAccessCollection {
    public var startIndex: Int { pairs.startIndex }
    public var endIndex: Int { pairs.endIndex }
    public subscript(position: Int) -> Pair { pairs[position] }
}

extension HTTP.Parameters: ExpressibleByDictionaryLiteral {
    /// Creates a list from pairs, in order, repeats kept.
    public init(dictionaryLiteral elements: (String, String)...) { self.init(elements) }
}

extension HTTP.Parameters: CustomStringConvertible {
    /// The names; values may be secret.
    public var description: String { pairs.map(\.name).joined(separator: ", ") }
}

extension HTTP.Parameters.Pair: CustomStringConvertible {
    /// The name; the value may be secret.
    public var description: String { name }
}

extension HTTP.Parameters.Pair: CustomReflectable {
    /// The name alone, so that `dump` and debuggers show no more than `description`.
    public var customMirror: Mirror { Mirror(self, children: ["name": name]) }
}

extension HTTP.Parameters: CustomReflectable {
    /// The names alone, so that `dump` and debuggers show no more than `description`.
    public var customMirror: Mirror { Mirror(self, children: ["names": description]) }
}
