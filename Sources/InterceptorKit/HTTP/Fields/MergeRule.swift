extension HTTP {
    /// What to do when a request already has a field or parameter of the name to be added.
    public enum MergeRule: Sendable, Hashable {
        /// Keep the request's own, and add nothing.
        case keepExisting
        /// Replace the request's own with the new ones.
        case replaceExisting
        /// Add the new ones after the request's own.
        case addToExisting
    }
}

extension HTTP.Headers {
    /// Adds fields, with the repeats of each name together.
    /// - Parameters:
    ///   - fields: The fields to add.
    ///   - rule: What to do with existing fields of the same name.
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
    func merging(query pairs: HTTP.Parameters, _ rule: HTTP.MergeRule) -> HTTP.URL {
        switch rule {
        case .addToExisting:
            return appending(query: pairs)
        case .keepExisting:
            let existing = HTTP.FormPair.pairs(of: (query ?? "").utf8)
            let missing = pairs.filter { pair in !existing.contains { $0.isNamed(pair.name) } }
            return appending(query: HTTP.Parameters(missing.map { ($0.name, $0.value) }))
        case .replaceExisting:
            let rest = Set(pairs.map(\.name)).reduce(self) { $0.removing(parameter: $1) }
            return rest.appending(query: pairs)
        }
    }
}
