extension CanonicalWriter {
    /// Adds the parameters of a query as `name=value`, in one encoding, sorted by name and then value, joined with `&`.
    /// Empty parameters are left out; a parameter without `=` gets an empty value.
    /// - Parameters:
    ///   - query: The query as in the URL, without its `?`.
    ///   - names: The names of parameters to leave out, of unreserved characters. Defaults to none.
    public mutating func appendQuery(_ query: ArraySlice<UInt8>, leavingOut names: [String] = []) {
        CanonicalQuery.write(query, names, to: &self)
    }
}

/// The parameters of a query in one encoding, sorted by name and then value.
///
/// Works on bytes, because the escapes in a query need not be UTF-8.
private struct CanonicalQuery {
    /// The place of a parameter `name=value` in the text.
    private struct Parameter {
        let start: Int
        let mark: Int
        let end: Int
    }

    private var parameters: [Parameter] = []
    private var isSorted = true

    fileprivate static func write(
        _ query: ArraySlice<UInt8>,
        _ names: [String],
        to text: inout CanonicalWriter
    ) {
        var written = CanonicalQuery()
        let first = text.bytes.count
        var start = query.startIndex
        while start < query.endIndex {
            let end = query[start...].firstIndex(of: UInt8(ascii: "&")) ?? query.endIndex
            if start < end { written.write(query[start..<end], unlessIn: names, to: &text) }
            start = end + 1
        }
        written.sort(&text, from: first)
    }

    private mutating func write(
        _ parameter: ArraySlice<UInt8>,
        unlessIn names: [String],
        to text: inout CanonicalWriter
    ) {
        let before = text.bytes.count
        if !parameters.isEmpty { text.append("&" as Unicode.Scalar) }
        let start = text.bytes.count
        let mark = parameter.firstIndex(of: UInt8(ascii: "=")) ?? parameter.endIndex
        text.appendEncodedOnce(parameter[..<mark])
        if names.contains(where: { text.bytes[start...].elementsEqual($0.utf8) }) {
            return text.clear(from: before)
        }
        let added = text.bytes.count
        text.append("=" as Unicode.Scalar)
        text.appendEncodedOnce(parameter[min(mark + 1, parameter.endIndex)...])
        let parameter = Parameter(start: start, mark: added, end: text.bytes.count)
        if let last = parameters.last, Self.precedes(parameter, last, text.bytes) {
            isSorted = false
        }
        parameters.append(parameter)
    }

    private static func precedes(_ left: Parameter, _ right: Parameter, _ bytes: [UInt8]) -> Bool {
        let names = (bytes[left.start..<left.mark], bytes[right.start..<right.mark])
        if names.0.elementsEqual(names.1) {
            return bytes[left.mark..<left.end]
                .lexicographicallyPrecedes(bytes[right.mark..<right.end])
        }
        return names.0.lexicographicallyPrecedes(names.1)
    }

    /// Rewrites the parameters in order, unless they already were.
    private mutating func sort(_ text: inout CanonicalWriter, from first: Int) {
        guard !isSorted else { return }
        parameters.sort { Self.precedes($0, $1, text.bytes) }
        let written = Array(text.bytes[first...])
        text.clear(from: first)
        for (index, parameter) in parameters.enumerated() {
            if index > 0 { text.append("&" as Unicode.Scalar) }
            text.append(contentsOf: written[parameter.start - first..<parameter.end - first])
        }
    }
}
