extension HTTP.URL {
    /// Whether a segment of the path is `.` or `..`, before or after decoding.
    public var hasDotSegment: Bool {
        let path = path
        // Seen fast: a path with neither dots nor escapes has none.
        guard path.utf8.contains(where: { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "%") })
        else { return false }
        return path.split(at: "/").contains { segment in
            let decoded = PercentEncoding.decode(segment)
            return decoded == "." || decoded == ".."
        }
    }

    /// This path under a base.
    /// - Throws: ``HTTP/RequestError`` if it has a dot segment, by which an identifier from outside would
    ///   lead elsewhere.
    package func completed(by base: HTTP.URL) throws(HTTP.RequestError) -> HTTP.URL {
        try requireNoDotSegment(under: base)
        return joined(to: base)
    }

    /// This path and query under a base, in place of its own origin if it has one.
    /// - Throws: As ``completed(by:)`` does.
    package func moved(to base: HTTP.URL) throws(HTTP.RequestError) -> HTTP.URL {
        try requireNoDotSegment(under: base)
        return placed(under: base)
    }

    private func requireNoDotSegment(under base: HTTP.URL) throws(HTTP.RequestError) {
        guard hasDotSegment else { return }
        throw HTTP.RequestError(
            .invalidURL,
            "The path of \(self) has a dot segment, which would lead elsewhere under "
                + "\(base.originText ?? "the base"). Give the path that is meant, or a complete URL."
        )
    }
}
