extension HTTP {
    /// A URL exactly as it is sent: text with its parts found (RFC 3986), never re-encoded.
    ///
    /// The same text is signed, matched and sent on every platform. Invalid text is kept, and a request for
    /// it is refused before anything is sent. User names and passwords in a URL are refused too: use a
    /// credential.
    public struct URL: Sendable {
        // One reference, because every hop that changes a request copies its URL.
        private let storage: Storage

        /// The text as given.
        public var text: String { storage.text }

        var parts: URLParts { storage.parts }

        /// Creates a URL from text known only at run time, for example from a configuration.
        ///
        /// It is read as it is, also where it is written as a literal with values in it:
        /// `try HTTP.URL(string: "https://\(host)/\(path)")`. Without the label, each value is percent-encoded.
        /// - Parameter text: A complete http or https URL, or a reference that a base URL completes.
        /// - Throws: A ``RequestError`` that says what is wrong with it.
        public init(string text: some StringProtocol) throws(RequestError) {
            self.init(unvalidated: String(text))
            try validate(allowingRelative: true)
        }

        /// Creates a URL from text without a check: if it isn't a URL, a request for it is refused before
        /// anything is sent.
        public init(unvalidated text: String) { self.init(text, refusedFor: nil) }

        init(_ text: String, refusedFor problem: URLProblem?) {
            var text = text
            text.makeContiguousUTF8()
            let parts = problem.map(URLParts.init(problem:)) ?? URLParts(text)
            storage = Storage(text, parts)
        }

        /// The scheme in lower case, or `nil` for a reference without one.
        public var scheme: String? { storage.slice(parts.scheme)?.lowercased() }

        /// The host in lower case; an IPv6 address in brackets; `nil` for a reference without one.
        public var host: String? { storage.slice(parts.host)?.lowercased() }

        /// Whether the URL lacks scheme and host, so that a base can complete it.
        public var isRelative: Bool {
            parts.problem == nil && parts.scheme == nil && parts.host == nil
        }

        /// The port if one is written.
        public var port: Int? { parts.port }

        /// The path, as encoded; may be empty.
        public var path: String { storage.slice(parts.path) ?? "" }

        /// The query without its `?`, as encoded; `nil` if there is none.
        public var query: String? { storage.slice(parts.query) }

        /// The origin: scheme, host and port; `nil` unless this is a complete http or https URL.
        public var origin: Origin? { storage.knownOrigin?.origin }

        /// The origin as text, as in `https://api.example.com`; `nil` without one.
        public var originText: String? { storage.knownOrigin?.text }

        /// Whether the text up to the path is this one; a port or capitals more can say the same.
        func begins(at origin: String) -> Bool {
            guard parts.path.lowerBound == origin.utf8.count else { return false }
            // As bytes: `hasPrefix` also finds out where characters end, which takes five times as long.
            // Safety: both buffers are iterated to their ends within the closures that lend them.
            let isSame = unsafe text.utf8.withContiguousStorageIfAvailable { text in
                unsafe origin.utf8.withContiguousStorageIfAvailable { unsafe text.starts(with: $0) }
            }
            return isSame == true
        }

        /// The path and query as they stand in a request's first line; the path is never empty.
        public var requestTarget: String {
            let path = path.isEmpty ? "/" : path
            return query.map { "\(path)?\($0)" } ?? path
        }

        /// Throws if this isn't a complete http or https URL that can be sent.
        public func validate() throws(RequestError) { try validate(allowingRelative: false) }

        func validate(allowingRelative: Bool) throws(RequestError) {
            if let origin, origin.scheme == "https" || origin.scheme == "http", !origin.host.isEmpty
            {
                return
            }
            if let problem = parts.problem {
                throw RequestError(
                    .invalidURL,
                    "\(HTTP.printable(Redaction.standard.url(text))) is not a URL: \(problem)."
                )
            }
            guard let scheme else {
                if allowingRelative && isRelative { return }
                throw RequestError(
                    .invalidURL,
                    "The URL \(HTTP.printable(Redaction.standard.url(text))) has no scheme and host. "
                        + "Give a complete URL, or a chain that completes it with a base URL."
                )
            }
            guard scheme == "http" || scheme == "https" else {
                throw RequestError(
                    .unsupportedScheme,
                    "The scheme \(HTTP.printable(scheme)) is not supported; use http or https."
                )
            }
            guard let host, !host.isEmpty else {
                throw RequestError(
                    .invalidURL,
                    "\(HTTP.printable(Redaction.standard.url(text))) has no host."
                )
            }
        }
    }
}

extension HTTP.URL: ExpressibleByStringLiteral {
    /// Creates a URL from a literal; if it is not a URL, a request for it is refused before anything is sent.
    public init(stringLiteral value: String) { self.init(unvalidated: value) }
}

extension HTTP.URL: CustomStringConvertible {
    /// The URL with user information and secret query values redacted; ``text`` has the complete URL.
    public var description: String { Redaction.standard.url(text) }
}

extension HTTP.URL: CustomReflectable {
    /// The same redacted text, so that `dump` and debuggers show no more than `description`.
    public var customMirror: Mirror { Mirror(self, children: ["text": description]) }
}
