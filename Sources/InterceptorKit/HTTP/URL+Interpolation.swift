extension HTTP.URL: ExpressibleByStringInterpolation {
    /// Builds a URL from a literal with values in it.
    ///
    /// A value is percent-encoded, so that it stays within its path segment or parameter whatever it
    /// is: `"/orders/\(id)"` with the id `a/b?c` asks for `/orders/a%2Fb%3Fc`. An ``HTTP/Origin`` or
    /// another URL goes in as it is, and so does text marked `raw:`.
    public struct StringInterpolation: StringInterpolationProtocol {
        var text = ""

        public init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + interpolationCount * 16)
        }

        public mutating func appendLiteral(_ literal: String) { text += literal }

        /// Adds a value, percent-encoded.
        public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            text += HTTP.percentEncoded(value.description)
        }

        /// Adds an origin as it is.
        public mutating func appendInterpolation(_ origin: HTTP.Origin) {
            text += origin.description
        }

        /// Adds text as it is, which may change what the URL means.
        public mutating func appendInterpolation(raw text: String) { self.text += text }

        /// Adds a URL as it is.
        public mutating func appendInterpolation(_ url: HTTP.URL) { text += url.text }
    }

    /// Creates a URL from a literal with values in it.
    public init(stringInterpolation: StringInterpolation) { self.init(stringInterpolation.text) }
}
