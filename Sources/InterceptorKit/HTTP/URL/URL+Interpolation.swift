extension HTTP.URL: ExpressibleByStringInterpolation {
    /// A builder of URLs from literals with values in them.
    ///
    /// Each value is percent-encoded, so that it stays within its path segment or parameter: `"/orders/\(id)"` with the
    /// id `a/b?c` becomes `/orders/a%2Fb%3Fc`. If values turn a segment into `.` or `..`, a request for the URL is
    /// refused, because the segment would lead to another path, encoded or not. An ``HTTP/Origin``, another URL, and
    /// text marked `raw:` stay unchanged.
    ///
    /// Use a URL or an origin as a base, not a `String`: with `let base: HTTP.URL`, `"\(base)/orders/\(id)"` works as
    /// expected. A `String` at the very beginning with a `/` or `:` would be encoded too, and so would a path of
    /// several segments after a scheme, host or port that is a value, as in `"https://\(host)/\(path)"` from a
    /// configuration: a request for the URL is refused, with an error that says what to write. For text that is
    /// composed at run time, use ``HTTP/URL/init(string:)``.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""
        fileprivate var problem: URLProblem?
        // The ranges of bytes that come from values with a dot.
        private var dotted: [Range<Int>] = []
        private var address = Address.open(hasValue: false)

        public init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + interpolationCount * 16)
        }

        public mutating func appendLiteral(_ literal: String) { text += literal }

        /// Adds a value, percent-encoded.
        public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            var value = value.description
            if text.isEmpty, value.utf8.contains(where: Self.marksAddress) {
                problem = .encodedBeginning
                // Redacted, because it is shown and never sent, and no redaction sees into encoded text.
                value = Redaction.standard.url(value)
            }
            noteValue(value)
            let start = text.utf8.count
            text += PercentEncoding.encode(value)
            if value.utf8.contains(UInt8(ascii: ".")) { dotted.append(start..<text.utf8.count) }
        }

        /// Refuses a value of several segments after an address that contains values.
        private mutating func noteValue(_ value: String) {
            if case .open(let hasValue) = address {
                address =
                    Self.isWithinAddress(text) ? .open(hasValue: true) : .ended(hasValue: hasValue)
            }
            guard problem == nil, address == .ended(hasValue: true),
                value.utf8.contains(where: Self.endsSegment),
                !text.utf8.contains(where: Self.endsPath)
            else { return }
            problem = .severalSegments
        }

        /// Returns whether a value after this text is in the scheme or the authority.
        private static func isWithinAddress(_ text: String) -> Bool {
            let bytes = text.utf8
            guard let end = bytes.firstIndex(where: endsSegment) else { return true }
            guard bytes[end...].starts(with: "//".utf8) else { return false }
            return !bytes[end...].dropFirst(2).contains(where: endsSegment)
        }

        /// Whether values with dots make a whole segment `.` or `..` of the path.
        fileprivate var hasDotSegment: Bool {
            if dotted.isEmpty { return false }
            var start = 0
            for segment in text.utf8.prefix(while: {
                $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#")
            })
            .split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
                let place = start..<start + segment.count
                start += segment.count + 1
                guard 1...2 ~= segment.count, segment.allSatisfy({ $0 == UInt8(ascii: ".") }),
                    dotted.contains(where: { $0.overlaps(place) })
                else { continue }
                return true
            }
            return false
        }

        /// Adds an origin unchanged.
        public mutating func appendInterpolation(_ origin: HTTP.Origin) {
            text += origin.description
        }

        /// Adds text unchanged, which may change the meaning of the URL.
        public mutating func appendInterpolation(raw text: String) { self.text += text }

        /// Adds a URL unchanged.
        public mutating func appendInterpolation(_ url: HTTP.URL) {
            if let refused = url.parts.problem,
                [.encodedBeginning, .severalSegments, .dots].contains(refused)
            {
                problem = refused
            }
            text += url.text
        }

        private static func marksAddress(_ byte: UInt8) -> Bool {
            byte == UInt8(ascii: "/") || byte == UInt8(ascii: ":")
        }

        private static func endsSegment(_ byte: UInt8) -> Bool {
            byte == UInt8(ascii: "/") || endsPath(byte)
        }

        private static func endsPath(_ byte: UInt8) -> Bool {
            byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
        }

        /// Whether the scheme and authority are complete, and whether they contain a value.
        private enum Address: Equatable {
            case open(hasValue: Bool)
            case ended(hasValue: Bool)
        }
    }

    /// Creates a URL from a literal with values in it.
    public init(stringInterpolation: StringInterpolation) {
        let problem = stringInterpolation.problem
        self.init(
            stringInterpolation.text,
            refusedFor: problem ?? (stringInterpolation.hasDotSegment ? .dots : nil)
        )
    }
}
