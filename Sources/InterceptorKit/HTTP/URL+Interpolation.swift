extension HTTP.URL: ExpressibleByStringInterpolation {
    /// Builds a URL from a literal with values in it.
    ///
    /// A value is percent-encoded, so that it always stays within its path segment or parameter:
    /// `"/orders/\(id)"` with the id `a/b?c` becomes `/orders/a%2Fb%3Fc`. An ``HTTP/Origin``, another URL,
    /// and text marked `raw:` stay unchanged.
    ///
    /// Use a URL or an origin as a base, not a `String`: with `let base: HTTP.URL`, `"\(base)/orders/\(id)"`
    /// works as expected. A `String` at the very beginning with a `/` or `:` would be encoded too, so a
    /// request for the URL is refused, with an error that says what to write.
    public struct StringInterpolation: StringInterpolationProtocol {
        var text = ""
        var problem: URLProblem?

        public init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + interpolationCount * 16)
        }

        public mutating func appendLiteral(_ literal: String) { text += literal }

        /// Adds a value, percent-encoded.
        public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            var value = value.description
            if text.isEmpty, value.utf8.contains(where: Self.marksAddress) {
                problem = .encodedBeginning
                // It will be shown and never sent, and once encoded no redaction would see into it.
                value = Redaction.standard.url(value)
            }
            text += PercentEncoding.encode(value)
        }

        /// Adds an origin unchanged.
        public mutating func appendInterpolation(_ origin: HTTP.Origin) {
            text += origin.description
        }

        /// Adds text unchanged, which may change what the URL means.
        public mutating func appendInterpolation(raw text: String) { self.text += text }

        /// Adds a URL unchanged.
        public mutating func appendInterpolation(_ url: HTTP.URL) {
            if url.parts.problem == .encodedBeginning { problem = .encodedBeginning }
            text += url.text
        }

        private static func marksAddress(_ byte: UInt8) -> Bool {
            byte == UInt8(ascii: "/") || byte == UInt8(ascii: ":")
        }
    }

    /// Creates a URL from a literal with values in it.
    public init(stringInterpolation: StringInterpolation) {
        self.init(stringInterpolation.text, refusedFor: stringInterpolation.problem)
    }
}
