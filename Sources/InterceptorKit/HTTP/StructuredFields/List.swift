extension HTTP.StructuredField {
    /// A field with members in order (RFC 9651 section 3.1).
    public struct List: Sendable, Hashable {
        /// The members.
        public var members: [Member]

        /// Creates a list.
        public init(_ members: [Member] = []) { self.members = members }
    }
}

extension HTTP.StructuredField.List: RandomAccessCollection {
    public var startIndex: Int { members.startIndex }
    public var endIndex: Int { members.endIndex }
    public subscript(position: Int) -> HTTP.StructuredField.Member { members[position] }
}

extension HTTP.StructuredField.List: ExpressibleByArrayLiteral {
    /// Creates a list of members, in order.
    public init(arrayLiteral members: HTTP.StructuredField.Member...) { self.init(members) }
}
