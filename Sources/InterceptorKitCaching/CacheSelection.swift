import InterceptorKit

/// The selection among the responses for one URL, by the request fields that `Vary` names (RFC 9111 section 4.1).
enum CacheSelection {
    /// The names in `Vary`, in lower case.
    static func names(in headers: HTTP.Headers) -> Set<String> {
        let values = headers.values("Vary")
        if values.isEmpty { return [] }
        return Set(values.flatMap { CacheDirectives.members(of: $0) }.map { $0.lowercased() })
    }

    /// The request's value of each field that a response varies by.
    static func selectors(
        of request: HTTP.Headers,
        for response: HTTP.Headers
    ) -> [StoredResponse.Selector] {
        names(in: response).sorted().map { name in
            StoredResponse.Selector(name: name, value: value(of: name, in: request))
        }
    }

    static func value(of name: String, in request: HTTP.Headers) -> String? {
        guard let value = request[name] else { return nil }
        switch name {
        case "authorization", "cookie", "proxy-authorization":
            // A digest, because a store may write selectors to a disk.
            return HashAlgorithm.sha256.hash(value.utf8).hexadecimal
        case "accept":
            return CacheDirectives.members(of: value).joined(separator: ",")
        case "accept-charset", "accept-encoding":
            return CacheDirectives.members(of: value).joined(separator: ",").lowercased()
        case "accept-language":
            // The order carries no meaning; only the weights do (RFC 9110 section 12.5.4).
            return CacheDirectives.members(of: value).map { $0.lowercased() }.sorted()
                .joined(separator: ",")
        default:
            return value
        }
    }
}
