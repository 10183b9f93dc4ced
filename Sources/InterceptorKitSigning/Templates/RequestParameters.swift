import InterceptorKit

/// The parameters of a request as part of a text to sign, sorted by name and then by value.
///
/// Query and form are decoded like HTML forms: `+` and `%20` both mean a space. Values are bytes and need not be UTF-8.
public struct RequestParameters: Sendable, Hashable {
    /// The sources of parameters.
    public struct Sources: OptionSet, Sendable, Hashable {
        public let rawValue: Int

        public init(rawValue: Int) { self.rawValue = rawValue }

        /// The URL's query.
        public static let query = Sources(rawValue: 1)
        /// A form in the content (`application/x-www-form-urlencoded`), which must be in memory.
        public static let form = Sources(rawValue: 2)
        /// The elements that the scheme itself adds to a field, as OAuth does.
        public static let elements = Sources(rawValue: 4)
        /// All sources.
        public static let all: Sources = [.query, .form, .elements]
    }

    /// The sources of the parameters. Defaults to all.
    public var sources = Sources.all
    /// Whether names and values are percent-encoded (RFC 3986 section 2.3). Defaults to `false`.
    public var isEncoded = false
    /// Whether parameters are sorted before instead of after percent-encoding. Defaults to `false`.
    public var sortsDecoded = false
    /// Whether parameters with the same name and value count once. Defaults to `false`.
    public var countsRepeatsOnce = false
    /// The separator between name and value. Defaults to `=`.
    public var assignment = "="
    /// The separator between parameters. Defaults to `&`.
    public var separator = "&"

    /// Creates the default form, `a=1&b=2` with nothing encoded.
    public init() {}

    /// The default form, percent-encoded.
    public static var encoded: RequestParameters {
        var parameters = RequestParameters()
        parameters.isEncoded = true
        return parameters
    }

    /// Returns the form without separators, as in `a1b2`.
    public static func concatenated(from sources: Sources = .all) -> RequestParameters {
        var parameters = RequestParameters()
        parameters.sources = sources
        parameters.assignment = ""
        parameters.separator = ""
        return parameters
    }

    func text(of pairs: [HTTP.FormPair]) -> [UInt8] {
        var written = isEncoded && !sortsDecoded ? pairs.map(\.encoded) : pairs
        written.sort { left, right in
            left.name == right.name
                ? left.value.lexicographicallyPrecedes(right.value)
                : left.name.lexicographicallyPrecedes(right.name)
        }
        if countsRepeatsOnce {
            written = written.indices.filter { $0 == 0 || written[$0] != written[$0 - 1] }
                .map { written[$0] }
        }
        if isEncoded && sortsDecoded { written = written.map(\.encoded) }
        var text: [UInt8] = []
        text.reserveCapacity(written.reduce(0) { $0 + $1.name.count + $1.value.count + 8 })
        for (index, pair) in written.enumerated() {
            if index > 0 { text += separator.utf8 }
            text += pair.name
            text += assignment.utf8
            text += pair.value
        }
        return text
    }
}

extension HTTP.FormPair {
    fileprivate var encoded: HTTP.FormPair {
        HTTP.FormPair(Self.encoded(name), Self.encoded(value))
    }

    private static func encoded(_ bytes: [UInt8]) -> [UInt8] {
        bytes.allSatisfy(PercentEncoding.isUnreserved)
            ? bytes : CanonicalWriter(encoding: bytes).bytes
    }
}
