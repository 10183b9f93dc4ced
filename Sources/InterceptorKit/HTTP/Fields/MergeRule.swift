extension HTTP {
    /// A rule for adding fields or parameters whose names a request may already have.
    public enum MergeRule: Sendable, Hashable {
        /// Keeps the existing ones, and adds nothing.
        case keepExisting
        /// Replaces the existing ones with the new ones.
        case replaceExisting
        /// Adds the new ones after the existing ones.
        case addToExisting
    }
}

extension HTTP.Headers {
    /// Adds fields; the rule applies to all fields of one name together.
    /// - Parameters:
    ///   - fields: The fields to add.
    ///   - rule: The treatment of existing fields of the same name.
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
    /// Returns this URL with more parameters, percent-encoded, after the existing ones.
    ///
    /// The rest of the query stays the same byte for byte. Names are compared percent-decoded.
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
