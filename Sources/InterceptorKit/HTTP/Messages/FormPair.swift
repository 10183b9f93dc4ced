extension HTTP {
    /// A decoded name and value of a query or a form.
    ///
    /// The pair holds bytes, because escapes need not be UTF-8: as text, two different pairs could become equal.
    package struct FormPair: Sendable, Hashable {
        /// The name's bytes.
        package let name: [UInt8]
        /// The value's bytes.
        package let value: [UInt8]

        /// Creates a pair from decoded bytes.
        package init(_ name: some Sequence<UInt8>, _ value: some Sequence<UInt8>) {
            self.name = Array(name)
            self.value = Array(value)
        }

        /// Returns whether the name equals a text in UTF-8.
        package func isNamed(_ name: String) -> Bool { self.name.elementsEqual(name.utf8) }
    }
}

extension HTTP.FormPair {
    /// Returns the pairs of a text in order. Empty pairs are left out; a pair without `=` has an empty value.
    /// - Parameters:
    ///   - text: A query without its `?`, or a form.
    ///   - plusIsBlank: Whether `+` means a space, as in HTML forms. Defaults to `false`.
    package static func pairs(of text: some Collection<UInt8>, plusIsBlank: Bool = false) -> [HTTP
        .FormPair]
    {
        // An array, so that the compiler knows the type of the slices.
        Array(text).split(separator: UInt8(ascii: "&")).map { pair in
            let mark = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
            return HTTP.FormPair(
                PercentEncoding.decodedBytes(pair[..<mark], plusIsBlank: plusIsBlank),
                PercentEncoding.decodedBytes(
                    pair[mark...].dropFirst(),
                    plusIsBlank: plusIsBlank
                )
            )
        }
    }

    /// Returns a query or form as written, without the pairs of one name.
    /// - Parameters:
    ///   - name: The name, decoded.
    ///   - text: A query without its `?`, or a form.
    ///   - plusIsBlank: Whether `+` means a space, as in HTML forms. Defaults to `false`.
    package static func removing(
        _ name: String,
        from text: some Collection<UInt8>,
        plusIsBlank: Bool = false
    ) -> [UInt8] {
        let kept = text.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false).filter
        {
            let found = $0.prefix { $0 != UInt8(ascii: "=") }
            return !PercentEncoding.decodedBytes(found, plusIsBlank: plusIsBlank)
                .elementsEqual(name.utf8)
        }
        return Array(kept.joined(separator: [UInt8(ascii: "&")]))
    }
}
