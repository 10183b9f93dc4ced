extension HTTP {
    /// Field values of a common syntax (RFC 9651, which replaces RFC 8941): items, lists and
    /// dictionaries.
    ///
    /// ```swift
    /// let priority = try HTTP.StructuredField.Dictionary(parsing: "u=2, i;why=\"first view\"")
    /// print(priority["u"]?.value?.integer ?? 3)  // 2
    /// ```
    ///
    /// Parsing accepts what the RFC does and nothing else, in time and memory proportional to the
    /// text. A value is checked when it is serialised, so every value may be made and not every one
    /// can be sent. What is parsed serialises to the canonical form.
    public enum StructuredField {}
}
