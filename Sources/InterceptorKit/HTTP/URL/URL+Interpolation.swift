extension HTTP.URL: ExpressibleByStringInterpolation {
    /// Builds a URL from a literal with values in it.
    ///
    /// A value is percent-encoded, so that it always stays within its path segment or parameter:
    /// `"/orders/\(id)"` with the id `a/b?c` becomes `/orders/a%2Fb%3Fc`. A segment that values make `.` or `..` would
    /// lead out of its place, encoded or not, so a request for the URL is refused. An ``HTTP/Origin``, another URL,
    /// and text marked `raw:` stay unchanged.
    ///
    /// Use a URL or an origin as a base, not a `String`: with `let base: HTTP.URL`, `"\(base)/orders/\(id)"`
    /// works as expected. A `String` at the very beginning with a `/` or `:` would be encoded too, and so would a
    /// path of several segments behind a scheme, host or port that is a value, as in `"https://\(host)/\(path)"`
    /// from a configuration: a request for the URL is refused, with an error that says what to write. Text that is
    /// put together at run time is for ``HTTP/URL/init(string:)``.
    public struct StringInterpolation: StringInterpolationProtocol {
        var text = ""
        var problem: URLProblem?
        // The bytes that come from values with a dot.
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
                // It will be shown and never sent, and once encoded no redaction would see into it.
                value = Redaction.standard.url(value)
            }
            noteValue(value)
            let start = text.utf8.count
            text += PercentEncoding.encode(value)
            if value.utf8.contains(UInt8(ascii: ".")) { dotted.append(start..<text.utf8.count) }
        }

        /// Refuses what would be more than a segment behind an address that values make.
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

        /// Whether what follows stands in the scheme or the authority.
        private static func isWithinAddress(_ text: String) -> Bool {
            let bytes = text.utf8
            guard let end = bytes.firstIndex(where: endsSegment) else { return true }
            guard bytes[end...].starts(with: "//".utf8) else { return false }
            return !bytes[end...].dropFirst(2).contains(where: endsSegment)
        }

        /// Whether values with dots make a whole segment of the path `.` or `..`.
        var leavesItsPlace: Bool {
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

        /// Adds text unchanged, which may change what the URL means.
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

        /// How far the scheme and authority are read, and whether a value is part of them.
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
            refusedFor: problem ?? (stringInterpolation.leavesItsPlace ? .dots : nil)
        )
    }
}
