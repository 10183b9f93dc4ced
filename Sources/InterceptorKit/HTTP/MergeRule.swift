extension HTTP {
    /// What happens to a field or parameter that a request has already, when one of its name is to be
    /// added.
    public enum MergeRule: Sendable, Hashable {
        /// The request's own stays, and nothing is added.
        case keepExisting
        /// The new ones take the place of the request's own.
        case replaceExisting
        /// The new ones come after the request's own.
        case addToExisting
    }
}

extension HTTP.Headers {
    /// Adds fields, each name's repeats together.
    /// - Parameters:
    ///   - fields: What to add.
    ///   - rule: What happens to fields of the same names.
    public mutating func merge(_ fields: HTTP.Headers, _ rule: HTTP.MergeRule) {
        let existing = self
        if rule == .replaceExisting { removeAll(named: fields.map(\.name)) }
        for field in fields {
            if rule == .keepExisting && existing.contains(field.name) { continue }
            append(name: field.name, value: field.value)
        }
    }
}

extension HTTP.URL {
    /// Returns this URL with parameters more, percent-encoded, after those it has.
    ///
    /// What else the query says stays byte for byte. Names are compared percent-decoded.
    func merging(query pairs: [(name: String, value: String)], _ rule: HTTP.MergeRule) -> HTTP.URL {
        switch rule {
        case .addToExisting:
            return appending(query: pairs)
        case .keepExisting:
            let existing = HTTP.FormPair.pairs(of: (query ?? "").utf8)
            return appending(
                query: pairs.filter { pair in !existing.contains { $0.isNamed(pair.name) } }
            )
        case .replaceExisting:
            let rest = Set(pairs.map(\.name)).reduce(self) { $0.removing(parameter: $1) }
            return rest.appending(query: pairs)
        }
    }
}
