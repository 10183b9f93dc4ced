/// A query's parameters, each name and value encoded one way and sorted by name, then value.
///
/// Works on bytes, because escapes in a query need not spell UTF-8.
struct CanonicalQuery {
    private struct Parameter {
        let start: Int
        let middle: Int
        let end: Int
    }

    private var parameters: [Parameter] = []
    private var isSorted = true
    private var text: CanonicalText

    /// Takes the parameters of a query as it stands in a URL; empty ones are left out, and one without
    /// `=` has an empty value.
    /// - Parameter names: Of parameters that are left out, of unreserved characters only.
    init(_ query: ArraySlice<UInt8>, leavingOut names: [String] = []) {
        text = CanonicalText(capacity: query.count + 16)
        parameters.reserveCapacity(8)
        var start = query.startIndex
        while start < query.endIndex {
            let end = query[start...].firstIndex(of: UInt8(ascii: "&")) ?? query.endIndex
            if start < end {
                let mark = query[start..<end].firstIndex(of: UInt8(ascii: "=")) ?? end
                add(query[start..<mark], query[min(mark + 1, end)..<end], unlessIn: names)
            }
            start = end + 1
        }
    }

    private mutating func add(
        _ name: ArraySlice<UInt8>,
        _ value: ArraySlice<UInt8>,
        unlessIn names: [String]
    ) {
        let start = text.bytes.count
        text.appendEncodedOnce(name)
        if names.contains(where: { text.bytes[start...].elementsEqual($0.utf8) }) {
            return text.clear(from: start)
        }
        let middle = text.bytes.count
        text.appendEncodedOnce(value)
        let added = Parameter(start: start, middle: middle, end: text.bytes.count)
        if let last = parameters.last, precedes(added, last) { isSorted = false }
        parameters.append(added)
    }

    private func precedes(_ left: Parameter, _ right: Parameter) -> Bool {
        let bytes = text.bytes
        let names = (bytes[left.start..<left.middle], bytes[right.start..<right.middle])
        if names.0.elementsEqual(names.1) {
            return bytes[left.middle..<left.end]
                .lexicographicallyPrecedes(bytes[right.middle..<right.end])
        }
        return names.0.lexicographicallyPrecedes(names.1)
    }

    /// Writes them as `name=value`, joined with `&`.
    func write(to target: inout CanonicalText) {
        let bytes = text.bytes
        let sorted = isSorted ? parameters : parameters.sorted(by: precedes)
        for (index, parameter) in sorted.enumerated() {
            if index > 0 { target.append("&" as Unicode.Scalar) }
            target.append(contentsOf: bytes[parameter.start..<parameter.middle])
            target.append("=" as Unicode.Scalar)
            target.append(contentsOf: bytes[parameter.middle..<parameter.end])
        }
    }
}
