extension HTTP.URL {
    /// Returns a host as URLs have it; `nil` for text that is none, or has a dot in front. An IPv6 address may lack its
    /// brackets.
    static func host(_ text: String) -> String? {
        guard !text.isEmpty, !text.begins(with: "."),
            !text.utf8.contains(where: { "/?#".utf8.contains($0) })
        else { return nil }
        let isBare = text.holds(":") && !text.begins(with: "[")
        let url = HTTP.URL(unvalidated: "https://" + (isBare ? "[\(text)]" : text))
        // A URL may have an empty port.
        guard url.origin != nil, url.port == nil, !text.ends(with: ":") else { return nil }
        return url.host
    }
}
