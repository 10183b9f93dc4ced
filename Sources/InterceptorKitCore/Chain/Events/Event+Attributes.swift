extension Event {
    /// The facts about an event, by key, in the order in which they were added.
    ///
    /// Up to one fact costs no allocation. Attributes with the same facts are equal, in any order.
    public struct Attributes: Sendable {
        private enum Facts: Sendable {
            case none
            case one(Element)
            case many([Element])
        }

        private var facts: Facts

        /// Creates empty attributes.
        public init() { facts = .none }

        init(_ key: String, _ value: Event.Value) { facts = .one((key, value)) }

        /// The value for a key; `nil` if there is none. Setting `nil` removes the fact.
        public subscript(key: String) -> Event.Value? {
            get {
                switch facts {
                case .none: nil
                case .one(let fact): fact.key == key ? fact.value : nil
                case .many(let facts): facts.first { $0.key == key }?.value
                }
            }
            set {
                if let newValue { set(newValue, for: key) } else { remove(key) }
            }
        }

        private mutating func set(_ value: Event.Value, for key: String) {
            switch facts {
            case .none:
                facts = .one((key, value))
            case .one(let fact):
                facts = fact.key == key ? .one((key, value)) : .many([fact, (key, value)])
            case .many(var all):
                // Drops the second reference, so that the array is not copied.
                facts = .none
                if let index = all.firstIndex(where: { $0.key == key }) {
                    all[index].value = value
                } else {
                    all.append((key, value))
                }
                facts = .many(all)
            }
        }

        private mutating func remove(_ key: String) {
            guard self[key] != nil else { return }
            let rest = filter { $0.key != key }
            facts = rest.isEmpty ? .none : .many(rest)
        }
    }
}

extension Event.Attributes: RandomAccessCollection {
    /// A key and its value.
    public typealias Element = (key: String, value: Event.Value)

    public var startIndex: Int { 0 }

    public var endIndex: Int {
        switch facts {
        case .none: 0
        case .one: 1
        case .many(let facts): facts.count
        }
    }

    public subscript(position: Int) -> Element {
        switch facts {
        case .none: ([] as [Element])[position]
        case .one(let fact): position == 0 ? fact : ([fact] as [Element])[position]
        case .many(let facts): facts[position]
        }
    }
}

extension Event.Attributes: ExpressibleByDictionaryLiteral {
    /// Creates attributes. The last value of a repeated key wins.
    public init(dictionaryLiteral elements: (String, Event.Value)...) {
        self.init()
        for (key, value) in elements { self[key] = value }
    }
}

extension Event.Attributes: Equatable {
    /// Whether both have the same facts, in any order.
    public static func == (left: Event.Attributes, right: Event.Attributes) -> Bool {
        left.count == right.count && left.allSatisfy { right[$0.key] == $0.value }
    }
}

extension Event.Attributes: CustomStringConvertible {
    /// The facts as text, as in `[delay: 1 s, reason: 503]`.
    public var description: String {
        isEmpty ? "[:]" : "[\(map { "\($0.key): \($0.value)" }.joined(separator: ", "))]"
    }
}
