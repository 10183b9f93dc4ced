extension HTTP {
    /// The common syntax of structured fields (RFC 9651, which replaces RFC 8941): items, lists and
    /// dictionaries.
    ///
    /// ```swift
    /// let priority = try HTTP.StructuredField.Dictionary(parsing: "u=2, i;why=\"first view\"")
    /// print(priority["u"]?.value?.integer ?? 3)  // 2
    /// ```
    ///
    /// Parsing accepts exactly what the RFC allows, in time and memory proportional to the text. A value is
    /// checked when it is serialised, so you can make values that cannot be sent. A parsed value serialises
    /// to the canonical form.
    public enum StructuredField {}
}
