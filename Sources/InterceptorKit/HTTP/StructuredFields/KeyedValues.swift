extension HTTP.StructuredField {
    /// A field with members by key, in order (RFC 9651 section 3.2).
    public typealias Dictionary = KeyedValues<Member>

    /// The parameters of an item or an inner list, in order (RFC 9651 section 3.1.2).
    public typealias Parameters = KeyedValues<BareItem>

    /// Values by key, in their original order. A repeated key changes the value in its first place.
    public struct KeyedValues<Value: Sendable & Hashable>: Sendable {
        // Inlinable, because without specialisation a look-up takes several times as long.
        @usableFromInline var entries: [Element] = []
        // Filled only for more than a few entries, since a linear search finds fewer sooner.
        @usableFromInline var places: [String: Int] = [:]

        /// A key and its value.
        public typealias Element = (key: String, value: Value)

        /// Creates a list without values.
        @inlinable public init() {}

        /// Creates values from pairs, in order.
        public init(_ pairs: some Sequence<(String, Value)>) {
            entries.reserveCapacity(pairs.underestimatedCount)
            for (key, value) in pairs { self[key] = value }
        }

        /// The value for a key; setting `nil` removes the key.
        @inlinable
        public subscript(key: String) -> Value? {
            get { place(of: key).map { entries[$0].value } }
            set {
                switch (place(of: key), newValue) {
                case (let place?, let value?):
                    entries[place].value = value
                case (nil, let value?):
                    entries.append((key, value))
                    indexLast()
                case (let place?, nil):
                    entries.remove(at: place)
                    index()
                case (nil, nil):
                    break
                }
            }
        }

        /// Reserves room for values, so that adding them does not copy.
        /// - Parameter count: The total number of values.
        @inlinable
        public mutating func reserveCapacity(_ count: Int) { entries.reserveCapacity(count) }

        /// The keys, in order.
        public var keys: [String] { entries.map(\.key) }

        @inlinable static var few: Int { 8 }

        @inlinable
        func place(of key: String) -> Int? {
            entries.count > Self.few ? places[key] : entries.firstIndex { $0.key == key }
        }

        @inlinable
        mutating func indexLast() {
            if entries.count == Self.few + 1 {
                index()
            } else if entries.count > Self.few {
                places[entries[entries.count - 1].key] = entries.count - 1
            }
        }

        @inlinable
        mutating func index() {
            places = [:]
            guard entries.count > Self.few else { return }
            for (place, entry) in entries.enumerated() { places[entry.key] = place }
        }
    }
}

extension HTTP.StructuredField.KeyedValues: RandomAccessCollection {
    @inlinable public var startIndex: Int { entries.startIndex }
    @inlinable public var endIndex: Int { entries.endIndex }
    @inlinable public subscript(position: Int) -> Element { entries[position] }
}

extension HTTP.StructuredField.KeyedValues: Hashable {
    /// Whether both have the same values for the same keys in the same order.
    public static func == (left: Self, right: Self) -> Bool {
        left.entries.elementsEqual(right.entries) { $0.key == $1.key && $0.value == $1.value }
    }

    public func hash(into hasher: inout Hasher) {
        for entry in entries {
            hasher.combine(entry.key)
            hasher.combine(entry.value)
        }
    }
}

extension HTTP.StructuredField.KeyedValues: ExpressibleByDictionaryLiteral {
    /// Creates values by key, in order.
    public init(dictionaryLiteral elements: (String, Value)...) { self.init(elements) }
}
