/// Which parameters of a request go into a text, and how they are written there: sorted by name, then
/// value, as the bytes stand in the text.
public struct RequestParameters: Sendable, Hashable {
    /// Where parameters are taken from.
    public struct Sources: OptionSet, Sendable, Hashable {
        public let rawValue: Int

        public init(rawValue: Int) { self.rawValue = rawValue }

        /// The URL's query.
        public static let query = Sources(rawValue: 1)
        /// A form in the content (`application/x-www-form-urlencoded`), which must be in memory.
        public static let form = Sources(rawValue: 2)
        /// The elements that the scheme itself puts into a field, as OAuth does.
        public static let elements = Sources(rawValue: 4)
        /// All of them.
        public static let all: Sources = [.query, .form, .elements]
    }

    /// Where they are taken from. Defaults to all places.
    public var sources = Sources.all
    /// Whether names and values are percent-encoded (RFC 3986 section 2.3). Defaults to `false`.
    public var isEncoded = false
    /// What stands between name and value. Defaults to `=`.
    public var assignment = "="
    /// What stands between parameters. Defaults to `&`.
    public var separator = "&"

    /// Creates the usual form, `a=1&b=2` with nothing encoded.
    public init() {}

    /// The usual form, percent-encoded.
    public static var encoded: RequestParameters {
        var parameters = RequestParameters()
        parameters.isEncoded = true
        return parameters
    }

    /// Names and values one after the other, `a1b2`.
    public static func concatenated(from sources: Sources = .all) -> RequestParameters {
        var parameters = RequestParameters()
        parameters.sources = sources
        parameters.assignment = ""
        parameters.separator = ""
        return parameters
    }

    func text(of pairs: [(name: String, value: String)]) -> String {
        var written: [(name: String, value: String)] = []
        for (name, value) in pairs {
            written.append(
                isEncoded ? (HTTP.percentEncoded(name), HTTP.percentEncoded(value)) : (name, value)
            )
        }
        guard !written.isEmpty else { return "" }
        written.sort { left, right in
            left.name.utf8.elementsEqual(right.name.utf8)
                ? left.value.utf8.lexicographicallyPrecedes(right.value.utf8)
                : left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
        }
        return written.map { $0.name + assignment + $0.value }.joined(separator: separator)
    }
}
