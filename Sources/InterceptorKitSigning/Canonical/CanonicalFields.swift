package import InterceptorKit

/// The header fields of a request that a signature covers.
public struct SignedFields: Sendable, Hashable {
    private enum Rule: Sendable, Hashable {
        case allExcept(Set<String>)
        case only(Set<String>)
        case prefixed([String])
    }

    private let rule: Rule

    /// All fields except those that change in transit or contain a signature: `Authorization`, `Connection`, `Expect`,
    /// `Keep-Alive`, `Proxy-Connection`, `TE`, `Trailer`, `Transfer-Encoding`, `Upgrade`, `User-Agent` and
    /// `X-Amzn-Trace-Id`, as in AWS's own clients.
    public static let all = SignedFields(.allExcept([]))

    /// Returns the fields of `all` without the given ones.
    public static func all(except names: [String]) -> SignedFields {
        SignedFields(.allExcept(Set(names.map { $0.lowercased() })))
    }

    /// Returns only these fields. A request need not have them.
    public static func only(_ names: [String]) -> SignedFields {
        SignedFields(.only(Set(names.map { $0.lowercased() })))
    }

    /// Returns the fields whose names begin with one of these texts, such as `x-oss-`.
    public static func prefixed(by starts: [String]) -> SignedFields {
        SignedFields(.prefixed(starts.map { $0.lowercased() }))
    }

    private init(_ rule: Rule) { self.rule = rule }

    package func contains(_ name: String) -> Bool {
        switch rule {
        case .allExcept(let names): !Self.isUnsigned(name) && !names.contains(name)
        case .only(let names): names.contains(name)
        case .prefixed(let starts): starts.contains { name.begins(with: $0) }
        }
    }

    private static func isUnsigned(_ name: String) -> Bool {
        // The length is compared first because few names have one of these lengths.
        switch name.utf8.count {
        case 2: name == "te"
        case 6: name == "expect"
        case 7: name == "trailer" || name == "upgrade"
        case 10: name == "connection" || name == "keep-alive" || name == "user-agent"
        case 13: name == "authorization"
        case 15: name == "x-amzn-trace-id"
        case 16: name == "proxy-connection"
        case 17: name == "transfer-encoding"
        default: false
        }
    }
}

/// The fields that a signature covers: lower-case names, sorted, with the values of one name together.
package struct CanonicalFields {
    private struct Field {
        let name: String
        let value: String
    }

    private var fields: [Field] = []

    /// Collects the covered fields of a request.
    /// - Parameter host: The host to cover if the request has no such field; `nil` if the host is not covered.
    package init(of request: HTTP.Request, _ covered: SignedFields, host: String?) {
        fields.reserveCapacity(request.headers.count + 1)
        var hasHost = host == nil
        for field in request.headers {
            let name = field.name.lowercased()
            let isHost = host != nil && name == "host"
            if isHost || covered.contains(name) { insert(name, field.value) }
            hasHost = hasHost || isHost
        }
        if !hasHost, let host { insert("host", host) }
        if fields.count > Self.few { sort() }
    }

    // Above this number, the fields are sorted at the end: inserting each in order takes quadratic time.
    private static let few = 32

    private mutating func sort() {
        let sorted = fields.enumerated().sorted {
            ($0.element.name, $0.offset) < ($1.element.name, $1.offset)
        }
        fields = sorted.map(\.element)
    }

    // Keeps the fields sorted by name, and those of one name in the request's order.
    private mutating func insert(_ name: String, _ value: String) {
        var index = fields.endIndex
        if index >= Self.few { return fields.append(Field(name: name, value: value)) }
        while index > 0, name < fields[index - 1].name { index -= 1 }
        fields.insert(Field(name: name, value: value), at: index)
    }

    /// Sorts the values of each name by their bytes.
    mutating func sortValues() {
        fields.sort { left, right in
            left.name == right.name
                ? left.value.utf8.lexicographicallyPrecedes(right.value.utf8)
                : left.name < right.name
        }
    }

    /// Writes lines `name:value`, each ending in a line feed, with several values joined by commas.
    /// - Parameter isSqueezed: Whether a run of blanks within a value becomes one blank. Defaults to `true`.
    package func writeLines(to text: inout CanonicalWriter, isSqueezed: Bool = true) {
        for (index, field) in fields.enumerated() {
            if index > 0, fields[index - 1].name == field.name {
                text.append("," as Unicode.Scalar)
            } else {
                if index > 0 { text.append("\n" as Unicode.Scalar) }
                text.append(field.name)
                text.append(":" as Unicode.Scalar)
            }
            if isSqueezed {
                text.appendSingleSpaced(field.value)
            } else {
                text.append(field.value)
            }
        }
        if !fields.isEmpty { text.append("\n" as Unicode.Scalar) }
    }

    package func writeNames(to text: inout CanonicalWriter) {
        for (index, field) in fields.enumerated() {
            if index > 0, fields[index - 1].name == field.name { continue }
            if index > 0 { text.append(";" as Unicode.Scalar) }
            text.append(field.name)
        }
    }
}

extension HTTP.Headers {
    /// Whether the values of some fields are exactly the bytes that were received.
    ///
    /// Parsers replace bytes that are not UTF-8 with U+FFFD, so a value that contains it can stand for many.
    func areExact(_ names: [String]) -> Bool {
        let inexact = Set(
            filter { $0.value.unicodeScalars.contains("\u{FFFD}") }.map { $0.name.lowercased() }
        )
        return inexact.isEmpty || !names.contains { inexact.contains($0.lowercased()) }
    }
}
