extension HTTP.Request {
    /// The request for a redirect's target, as the same origin would get it (RFC 9110 section 15.4).
    ///
    /// Only 303, and 301 and 302 for `POST`, lead to a `GET` without the body and what describes it.
    func redirected(_ status: HTTP.Status, to target: HTTP.URL) -> HTTP.Request {
        var next = self
        next.url = target
        let isFetch = status == 303 || (method == .post && (status == 301 || status == 302))
        guard isFetch else { return next }
        next.method = method == .head ? .head : .get
        next.body = .empty
        next.headers.removeAll { name in
            name.begins(with: "content-") || Self.fieldsOfContent.contains(name)
        }
        return next
    }

    // Beside all that begin with Content-, which includes Content-Digest.
    private static let fieldsOfContent: Set<String> = [
        "digest", "expect", "last-modified", "repr-digest", "trailer", "transfer-encoding",
    ]
}

extension HTTP.Headers {
    /// Removes the fields whose name, in lower case, is among those meant.
    mutating func removeAll(where isMeant: (_ name: String) -> Bool) {
        for name in Set(map { $0.name.lowercased() }) where isMeant(name) { self[name] = nil }
    }
}
