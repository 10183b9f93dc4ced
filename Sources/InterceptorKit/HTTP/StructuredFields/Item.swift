extension HTTP.StructuredField {
    /// A value with parameters: the content of some fields, and the members of inner lists (RFC 9651 section 3.3).
    public struct Item: Sendable, Hashable {
        /// The value.
        public var value: BareItem
        /// The value's parameters.
        public var parameters: Parameters

        /// Creates an item.
        /// - Parameters:
        ///   - value: The value.
        ///   - parameters: Its parameters. Defaults to none.
        public init(_ value: BareItem, _ parameters: Parameters = [:]) {
            self.value = value
            self.parameters = parameters
        }
    }

    /// A list of items with its own parameters (section 3.1.1).
    public struct InnerList: Sendable, Hashable {
        /// The items.
        public var items: [Item]
        /// The list's parameters.
        public var parameters: Parameters

        /// Creates an inner list.
        /// - Parameters:
        ///   - items: The items.
        ///   - parameters: The list's parameters. Defaults to none.
        public init(_ items: [Item], _ parameters: Parameters = [:]) {
            self.items = items
            self.parameters = parameters
        }
    }

    /// A member of a list or dictionary: an item or an inner list.
    public enum Member: Sendable, Hashable {
        /// A single value.
        case item(Item)
        /// Several values.
        case innerList(InnerList)

        /// Creates a single value.
        /// - Parameters:
        ///   - value: The value.
        ///   - parameters: Its parameters. Defaults to none.
        public init(_ value: BareItem, _ parameters: Parameters = [:]) {
            self = .item(Item(value, parameters))
        }

        /// The single value; `nil` for an inner list.
        public var value: BareItem? { if case .item(let item) = self { item.value } else { nil } }

        /// The items of an inner list; `nil` for a single value.
        public var items: [Item]? {
            if case .innerList(let list) = self { list.items } else { nil }
        }

        /// The parameters of the value or the inner list.
        public var parameters: Parameters {
            switch self {
            case .item(let item): item.parameters
            case .innerList(let list): list.parameters
            }
        }
    }
}

extension HTTP.StructuredField.Item: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByStringLiteral, ExpressibleByBooleanLiteral
{
    /// Creates an integer without parameters.
    public init(integerLiteral value: Int) { self.init(.integer(value)) }
    /// Creates a decimal without parameters, rounded to three digits after the point.
    public init(floatLiteral value: Double) { self.init(.init(floatLiteral: value)) }
    /// Creates a string without parameters.
    public init(stringLiteral value: String) { self.init(.string(value)) }
    /// Creates a boolean without parameters.
    public init(booleanLiteral value: Bool) { self.init(.boolean(value)) }
}

extension HTTP.StructuredField.Member: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral
{
    /// Creates an integer without parameters.
    public init(integerLiteral value: Int) { self.init(.integer(value)) }
    /// Creates a decimal without parameters, rounded to three digits after the point.
    public init(floatLiteral value: Double) { self.init(.init(floatLiteral: value)) }
    /// Creates a string without parameters.
    public init(stringLiteral value: String) { self.init(.string(value)) }
    /// Creates a boolean without parameters.
    public init(booleanLiteral value: Bool) { self.init(.boolean(value)) }
    /// Creates an inner list without parameters.
    public init(arrayLiteral items: HTTP.StructuredField.Item...) {
        self = .innerList(HTTP.StructuredField.InnerList(items))
    }
}
