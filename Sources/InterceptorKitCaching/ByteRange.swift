import InterceptorKit

extension HTTP {
    /// Parses a `Range` field that asks for a single range of bytes (RFC 9110 section 14.1.2).
    /// - Parameters:
    ///   - text: The field's value.
    ///   - total: The length of the content, in bytes.
    /// - Returns: `nil` for several ranges, for other units, and for a range outside the content.
    static func byteRange(_ text: String, of total: Int) -> Range<Int>? {
        let parts = text.split(at: "=", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].lowercased() == "bytes" else { return nil }
        let ends = HTTP.FieldSyntax.trimmed(String(parts[1]))
            .split(at: "-", omittingEmptySubsequences: false)
        guard ends.count == 2 else { return nil }
        let (first, last) = (number(ends[0]), number(ends[1]))
        switch (first, last) {
        case (nil, let suffix?) where ends[0].isEmpty && suffix > 0 && total > 0:
            return max(0, total - suffix)..<total
        case (let first?, nil) where ends[1].isEmpty && first < total:
            return first..<total
        case (let first?, let last?) where first <= last && first < total:
            return first..<(last < total ? last + 1 : total)
        default:
            return nil
        }
    }

    private static func number(_ text: Substring) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ 48...57 ~= $0 }) else { return nil }
        return Int(text)
    }
}
