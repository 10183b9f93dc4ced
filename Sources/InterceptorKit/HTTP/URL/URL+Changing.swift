extension HTTP.URL {
    /// Returns this reference under a base, after the base's path.
    ///
    /// `/orders/7` and `orders/7` under `https://api.example.com/v1` both become `https://api.example.com/v1/orders/7`;
    /// a complete URL stays unchanged. The base's query, if any, precedes the reference's.
    public func joined(to base: HTTP.URL) -> HTTP.URL {
        isRelative ? placed(under: base) : self
    }

    /// Returns this path and query under a base, whatever the URL's own origin is.
    private func placed(under base: HTTP.URL) -> HTTP.URL {
        guard let origin = base.origin else { return self }
        var path = base.path
        if !self.path.isEmpty {
            while let shorter = path.rest(before: "/") { path = String(shorter) }
            path += self.path.begins(with: "/") ? self.path : "/" + self.path
        }
        let queries = [base.query, query].compactMap(\.self).filter { !$0.isEmpty }
        let suffix = queries.isEmpty ? "" : "?" + queries.joined(separator: "&")
        return HTTP.URL("\(origin)\(raw: path)\(raw: suffix)")
    }

    /// Returns this URL with additional query parameters, each percent-encoded.
    public func appending(query parameters: HTTP.Parameters) -> HTTP.URL {
        guard !parameters.isEmpty, parts.problem == nil else { return self }
        let (front, fragment) = splitFragment()
        let separator = parts.query.map { $0.isEmpty ? "" : "&" } ?? "?"
        let query = parameters.text { PercentEncoding.encode($0) }
        return HTTP.URL(unvalidated: front + separator + query + fragment)
    }

    /// The parameters of the query in order, percent-decoded; `+` stays unchanged, and bytes that are not UTF-8 become
    /// U+FFFD.
    public var queryParameters: HTTP.Parameters {
        guard let query, !query.isEmpty else { return [:] }
        let pairs = HTTP.FormPair.pairs(of: query.utf8).map { pair in
            (
                name: String(decoding: pair.name, as: UTF8.self),
                value: String(decoding: pair.value, as: UTF8.self)
            )
        }
        return HTTP.Parameters(pairs)
    }

    /// Returns this URL without the parameters of a name; all others stay the same byte for byte.
    /// - Parameter name: The parameter's name, decoded.
    public func removing(parameter name: String) -> HTTP.URL {
        guard let query, HTTP.FormPair.pairs(of: query.utf8).contains(where: { $0.isNamed(name) })
        else {
            return self
        }
        let kept = HTTP.FormPair.removing(name, from: query.utf8)
        let (front, fragment) = splitFragment()
        let path = front.beginning(before: "?")
        let rest = kept.isEmpty ? "" : "?" + String(decoding: kept, as: UTF8.self)
        return HTTP.URL(unvalidated: path + rest + fragment)
    }

    /// Returns this URL with one value for a query parameter. The first parameter of the name gets the value, others of
    /// the name are removed, and all other parameters stay the same byte for byte.
    /// - Parameters:
    ///   - name: The parameter's name, decoded.
    ///   - value: The value, decoded; `nil` removes the parameter.
    public func setting(parameter name: String, to value: String?) -> HTTP.URL {
        guard let value, parts.problem == nil else { return removing(parameter: name) }
        let (front, fragment) = splitFragment()
        let path = front.beginning(before: "?")
        let pair = "\(PercentEncoding.encode(name))=\(PercentEncoding.encode(value))"
        var pairs: [String] = []
        var isSet = false
        for part in (query ?? "").split(at: "&", omittingEmptySubsequences: false) {
            let found = PercentEncoding.decodedBytes(part.utf8.prefix { $0 != UInt8(ascii: "=") })
            guard found.elementsEqual(name.utf8) else {
                pairs.append(String(part))
                continue
            }
            if !isSet { pairs.append(pair) }
            isSet = true
        }
        if !isSet { pairs = pairs == [""] ? [pair] : pairs + [pair] }
        return HTTP.URL(unvalidated: path + "?" + pairs.joined(separator: "&") + fragment)
    }

    /// The URL in the form that every signer covers and every transport sends: scheme and host in lower case, an empty
    /// path as `/`, without default port and fragment (RFC 9110 section 4.2.3).
    ///
    /// Path and query stay the same byte for byte, including dot segments, empty segments, escapes and an empty query.
    /// A server may treat `/a/../b` and `/b` differently, as object stores do; a server that does not normalises them
    /// before it compares (RFC 9449 section 4.3).
    public var normalized: HTTP.URL {
        if isNormal || parts.problem != nil { return self }
        guard let origin = originText else { return HTTP.URL(unvalidated: splitFragment().front) }
        return HTTP.URL(unvalidated: origin + requestTarget)
    }

    func splitFragment() -> (front: String, fragment: String) {
        guard let mark = text.utf8.firstIndex(of: UInt8(ascii: "#")) else { return (text, "") }
        return (String(text[..<mark]), String(text[mark...]))
    }
}

extension HTTP {
    /// Returns whether a path may have a dot segment, in a fast check.
    private static func mayHaveDotSegment(_ path: String) -> Bool {
        zip(path.utf8, path.utf8.dropFirst()).contains {
            $0 == UInt8(ascii: "/") && ($1 == UInt8(ascii: ".") || $1 == UInt8(ascii: "%"))
        }
    }

    /// Returns a path without its dot segments (RFC 3986 section 5.2.4), encoded or not (URL Standard section 4.1).
    package static func removingDotSegments(_ path: String) -> String {
        guard mayHaveDotSegment(path) else { return path }
        var segments: [Substring] = []
        let all = path.split(at: "/", omittingEmptySubsequences: false)
        for (index, segment) in all.enumerated() {
            let decoded = PercentEncoding.decode(segment)
            switch decoded {
            case ".", "..":
                if decoded == "..", segments.count > 1 { segments.removeLast() }
                if index == all.count - 1 { segments.append("") }
            default:
                segments.append(segment)
            }
        }
        return segments.joined(separator: "/")
    }
}

extension HTTP.URL {
    /// Whether a segment of the path is `.` or `..`, before or after decoding.
    public var hasDotSegment: Bool {
        let path = path
        // Most paths have neither dots nor escapes, and this check is fast.
        guard path.utf8.contains(where: { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "%") })
        else { return false }
        return path.split(at: "/").contains { segment in
            let decoded = PercentEncoding.decode(segment)
            return decoded == "." || decoded == ".."
        }
    }

    /// Returns this path under a base.
    /// - Throws: ``HTTP/RequestError`` if the path has a dot segment, which would let an identifier from outside lead
    ///   elsewhere.
    package func completed(by base: HTTP.URL) throws(HTTP.RequestError) -> HTTP.URL {
        try requireNoDotSegment(under: base)
        return joined(to: base)
    }

    /// Returns this path and query under a base, in place of the URL's own origin if it has one.
    /// - Throws: As ``completed(by:)``.
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
            // Unchanged, including dot segments (section 5.2.2).
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
    // The path up to its last slash; an empty path counts as `/` (RFC 3986 section 5.2.3).
    fileprivate var throughLastSlash: String {
        guard let last = utf8.lastIndex(of: UInt8(ascii: "/")) else { return "/" }
        return String(self[...last])
    }
}
