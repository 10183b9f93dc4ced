extension HTTP.URL {
    /// Returns this reference under a base, and keeps the base's path in front.
    ///
    /// `/orders/7` and `orders/7` under `https://api.example.com/v1` both become
    /// `https://api.example.com/v1/orders/7`; a complete URL stays as it is. The base's query, if any,
    /// goes before the reference's.
    public func joined(to base: HTTP.URL) -> HTTP.URL {
        isRelative ? placed(under: base) : self
    }

    /// This path and query under a base, whatever its own origin.
    func placed(under base: HTTP.URL) -> HTTP.URL {
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
        var text = front
        var separator = parts.query.map { $0.isEmpty ? "" : "&" } ?? "?"
        for pair in parameters {
            text += separator
            text += PercentEncoding.encode(pair.name)
            text += "="
            text += PercentEncoding.encode(pair.value)
            separator = "&"
        }
        return HTTP.URL(unvalidated: text + fragment)
    }

    /// The query's parameters in order, percent-decoded; `+` stays unchanged, and bytes that are not UTF-8
    /// become U+FFFD.
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

    /// Returns this URL without the parameters of a name; all others stay byte for byte.
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

    /// Returns this URL with one value for a query parameter. The first parameter of the name gets it, others
    /// of the name are removed, and all other parameters stay byte for byte.
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

    /// The URL as every signer covers it and every transport sends it: scheme and host in lower case, an
    /// empty path as `/`, without default port and fragment (RFC 9110 section 4.2.3).
    ///
    /// Path and query stay byte for byte, including dot segments, empty segments, escapes and a `?` with
    /// nothing after it. A server may treat `/a/../b` and `/b` differently, as object stores do; one that
    /// does not normalises before it compares (RFC 9449 section 4.3).
    public var normalized: HTTP.URL {
        guard parts.problem == nil else { return self }
        guard let origin = originText else { return HTTP.URL(unvalidated: splitFragment().front) }
        let end = (parts.query ?? parts.path).upperBound
        if begins(at: origin), !parts.path.isEmpty, end == text.utf8.count { return self }
        return HTTP.URL(unvalidated: origin + requestTarget)
    }

    func splitFragment() -> (front: String, fragment: String) {
        guard let mark = text.utf8.firstIndex(of: UInt8(ascii: "#")) else { return (text, "") }
        return (String(text[..<mark]), String(text[mark...]))
    }
}

extension HTTP {
    /// Whether a segment may be one of dots, at a glance.
    static func hasDotSegments(_ path: String) -> Bool {
        zip(path.utf8, path.utf8.dropFirst()).contains {
            $0 == UInt8(ascii: "/") && $1 == UInt8(ascii: ".")
        }
    }

    /// A path without its dot segments (RFC 3986 section 5.2.4).
    static func removingDotSegments(_ path: String) -> String {
        guard hasDotSegments(path) else { return path }
        var segments: [Substring] = []
        let all = path.split(at: "/", omittingEmptySubsequences: false)
        for (index, segment) in all.enumerated() {
            switch segment {
            case ".", "..":
                if segment == "..", segments.count > 1 { segments.removeLast() }
                if index == all.count - 1 { segments.append("") }
            default:
                segments.append(segment)
            }
        }
        return segments.joined(separator: "/")
    }
}
