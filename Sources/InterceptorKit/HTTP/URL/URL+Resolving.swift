extension HTTP.URL {
    /// Returns this reference resolved against a base, like a link on a page (RFC 3986 section 5.2).
    ///
    /// From `https://api.example.com/v1/orders`, `items?page=2` becomes
    /// `https://api.example.com/v1/items?page=2` and `/orders/7` becomes `https://api.example.com/orders/7`;
    /// ``joined(to:)`` keeps the base's whole path in front instead. Empty text becomes the base without its
    /// fragment. Invalid text, or a reference to another scheme, stays unchanged.
    public func resolved(against base: HTTP.URL) -> HTTP.URL {
        guard let baseOrigin = base.origin, let scheme = base.scheme else { return self }
        if text.isEmpty { return HTTP.URL(unvalidated: base.splitFragment().front) }
        guard parts.problem == nil else { return self }
        if let own = self.scheme, own != "http" && own != "https" { return self }
        let target = host.map {
            HTTP.Origin(readScheme: self.scheme ?? scheme, host: $0, port: port)
        }
        var path = path
        var query = query
        if target == nil, path.isEmpty {
            // As it is, dots included (section 5.2.2).
            path = base.path
            query = query ?? base.query
        } else {
            if target == nil, !path.begins(with: "/") {
                path = base.path.throughLastSlash + path
            }
            path = HTTP.removingDotSegments(path)
        }
        let fragment = splitFragment().fragment
        let suffix = query.map { "?\($0)" } ?? ""
        return HTTP.URL(
            "\(target ?? baseOrigin)\(raw: path)\(raw: suffix + fragment)"
        )
    }
}

extension String {
    // A path up to its last slash, which an empty one is taken to have (RFC 3986 section 5.2.3).
    fileprivate var throughLastSlash: String {
        guard let last = utf8.lastIndex(of: UInt8(ascii: "/")) else { return "/" }
        return String(self[...last])
    }
}
