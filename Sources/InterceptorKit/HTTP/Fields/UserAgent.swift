extension HTTP {
    /// The value of a `User-Agent` field (RFC 9110 section 10.1.5): products, the most important first, each with an
    /// optional version and comment.
    ///
    /// ```swift
    /// let agent = HTTP.UserAgent("Shop", version: "2.1", comment: "Linux; x86_64")
    /// print(agent)  // Shop/2.1 (Linux; x86_64)
    /// ```
    public struct UserAgent: Sendable, Hashable {
        private var products: [String]
        // A list, because an empty one is smaller than the optional error that almost no user agent has.
        private var problems: [RequestError] = []

        /// Creates a user agent of one product.
        /// - Parameters:
        ///   - name: A token (RFC 9110 section 5.6.2): letters, digits and some marks, without spaces.
        ///   - version: The version, also a token. Defaults to none.
        ///   - comment: A comment of printable ASCII; parentheses in it are escaped. Defaults to none.
        public init(_ name: String, version: String? = nil, comment: String? = nil) {
            products = []
            append(name, version, comment)
        }

        /// Returns this user agent with one more product at the end.
        public func adding(
            _ name: String,
            version: String? = nil,
            comment: String? = nil
        ) -> UserAgent {
            var agent = self
            agent.append(name, version, comment)
            return agent
        }

        /// Throws the error of the first product that was made of invalid text.
        public func validate() throws(RequestError) {
            if let problem = problems.first { throw problem }
        }

        private mutating func append(_ name: String, _ version: String?, _ comment: String?) {
            for text in [name, version].compactMap(\.self) where !HTTP.FieldSyntax.isToken(text) {
                problems.append(
                    RequestError(
                        .invalidField,
                        "\(HTTP.printable(text)) cannot name a product or version of a user agent, which are "
                            + "tokens (RFC 9110 section 10.1.5). Leave out blanks and slashes."
                    )
                )
            }
            if let comment, !comment.utf8.allSatisfy({ 0x20...0x7E ~= $0 }) {
                problems.append(
                    RequestError(
                        .invalidField,
                        "The comment \(HTTP.printable(comment)) of a user agent has characters other than "
                            + "printable ASCII."
                    )
                )
            }
            let product = version.map { "\(name)/\($0)" } ?? name
            products.append(comment.map { "\(product) (\(Self.escaped($0)))" } ?? product)
        }

        private static func escaped(_ comment: String) -> String {
            comment.unicodeScalars.map { "()\\".unicodeScalars.contains($0) ? "\\\($0)" : "\($0)" }
                .joined()
        }
    }
}

extension HTTP.UserAgent: CustomStringConvertible {
    /// The field's value.
    public var description: String { products.joined(separator: " ") }
}
