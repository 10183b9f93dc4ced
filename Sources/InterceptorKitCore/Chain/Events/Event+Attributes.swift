extension Event {
    /// The facts about an event, by key, in the order in which they were added.
    ///
    /// A single fact costs no allocation. Attributes with the same facts are equal, in any order.
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
    /// Returns whether both have the same facts, in any order.
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

/// Facts that many events have, with their types. Each is `nil` in an event without it.
extension Event.Attributes {
    /// `authority`: the authority of a limit, a breaker or an endpoint.
    public var authority: String? {
        get { self["authority"]?.text }
        set { self["authority"] = newValue.map { .text($0) } }
    }

    /// `bytes`: the number of bytes that were sent or have arrived so far.
    public var bytes: Int? {
        get { self["bytes"]?.number }
        set { self["bytes"] = newValue.map { .number($0) } }
    }

    /// `total`: the total number of bytes.
    public var total: Int? {
        get { self["total"]?.number }
        set { self["total"] = newValue.map { .number($0) } }
    }

    /// `delay`: the length of a wait.
    public var delay: Duration? {
        get { self["delay"]?.duration }
        set { self["delay"] = newValue.map { .duration($0) } }
    }

    /// `duration`: the time that a call took.
    public var duration: Duration? {
        get { self["duration"]?.duration }
        set { self["duration"] = newValue.map { .duration($0) } }
    }

    /// `retry_after`: the wait before another attempt.
    public var retryAfter: Duration? {
        get { self["retry_after"]?.duration }
        set { self["retry_after"] = newValue.map { .duration($0) } }
    }

    /// `reason`: the reason for a decision.
    public var reason: String? {
        get { self["reason"]?.text }
        set { self["reason"] = newValue.map { .text($0) } }
    }

    /// `error.type`: the name of an error's type.
    public var errorType: String? {
        get { self["error.type"]?.text }
        set { self["error.type"] = newValue.map { .text($0) } }
    }

    /// `error.message`: an error's description without secrets.
    public var errorMessage: String? {
        get { self["error.message"]?.text }
        set { self["error.message"] = newValue.map { .text($0) } }
    }

    /// `input`: the summary of a call's input (``Summarizable``).
    public var input: String? { self["input"]?.text }

    /// `output`: the summary of a call's output (``Summarizable``).
    public var output: String? { self["output"]?.text }
}
