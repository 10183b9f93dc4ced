extension HTTP {
    /// A URL exactly as it is sent: text that is split into its parts (RFC 3986) but never re-encoded.
    ///
    /// The same text is signed, matched and sent on every platform. The host alone is converted: `http://例え.jp/` is
    /// `http://xn--r8jz45g.jp/` (UTS #46, non-transitional, as in browsers). Foundation has the tables for that: in a
    /// program that links `FoundationEssentials` alone, such a name is refused; write Punycode there. Invalid text is kept, and a request for it is
    /// refused before anything is sent. User names and passwords in a URL are refused too: use a credential.
    public struct URL: Sendable {
        // One reference, because each interceptor that changes a request copies its URL.
        private let storage: Storage

        /// The text as given, with an international host in Punycode.
        public var text: String { storage.text }

        var parts: URLParts { storage.parts }

        /// Creates a URL from text known only at run time, for example from a configuration.
        ///
        /// The text is used unchanged, even if it is a literal with values in it:
        /// `try HTTP.URL(string: "https://\(host)/\(path)")`. Without the label, each value is percent-encoded.
        /// - Parameter text: A complete http or https URL, or a reference that a base URL completes.
        /// - Throws: A ``RequestError`` that describes the mistake.
        public init(string text: some StringProtocol) throws(RequestError) {
            self.init(unvalidated: String(text))
            try validate(allowingRelative: true)
        }

        /// Creates a URL from unchecked text: if it isn't a URL, a request for it is refused before anything is sent.
        public init(unvalidated text: String) { self.init(text, refusedFor: nil) }

        init(_ text: String, refusedFor problem: URLProblem?) {
            var text = text
            text.makeContiguousUTF8()
            var parts = problem.map(URLParts.init(problem:)) ?? URLParts(text)
            if parts.problem == .character || parts.problem == .encodedHost {
                do throws(URLProblem) {
                    if let converted = try text.withPunycodeHost() {
                        text = converted
                        parts = URLParts(text)
                    }
                } catch {
                    parts = URLParts(problem: error)
                }
            }
            storage = Storage(text, parts)
        }

        /// The scheme in lower case; `nil` for a reference without one.
        public var scheme: String? { storage.slice(parts.scheme)?.lowercased() }

        /// The host in lower case, in Punycode, with brackets around an IPv6 address; `nil` for a reference without one.
        public var host: String? { storage.slice(parts.host)?.lowercased() }

        /// Whether the URL lacks scheme and host, so that a base can complete it.
        public var isRelative: Bool {
            parts.problem == nil && parts.scheme == nil && parts.host == nil
        }

        /// The port in the text; `nil` if there is none.
        public var port: Int? { parts.port }

        /// The path, as encoded; may be empty.
        public var path: String { storage.slice(parts.path) ?? "" }

        /// The query without its `?`, as encoded; `nil` if there is none.
        public var query: String? { storage.slice(parts.query) }

        /// The origin: scheme, host and port; `nil` unless this is a complete http or https URL.
        public var origin: Origin? { storage.knownOrigin?.origin }

        /// The origin as text, as in `https://api.example.com`; `nil` without one.
        public var originText: String? { storage.knownOrigin?.text }

        /// The authority of the ``origin``, made once.
        package var authority: String? { storage.knownOrigin?.authority }

        /// Whether the URL has an origin and is as ``normalized`` gives it.
        var isNormal: Bool { storage.knownOrigin?.isNormal ?? false }

        /// The path and query as in a request line; the path is never empty.
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
    /// The redacted text, so that `dump` and debuggers show no more than `description`.
    public var customMirror: Mirror { Mirror(self, children: ["text": description]) }
}

extension HTTP.URL {
    /// The text of a URL, the places of its parts, and its origin once it was asked for.
    private final class Storage: Sendable {
        final class KnownOrigin: Sendable {
            let origin: HTTP.Origin
            let authority: String
            let text: String
            /// Whether the URL's text begins with the origin's, and ends with its path or query.
            let isNormal: Bool

            init(_ origin: HTTP.Origin, of url: String, _ parts: URLParts) {
                self.origin = origin
                authority = origin.authority
                text = origin.description
                isNormal =
                    !parts.path.isEmpty && parts.path.lowerBound == text.utf8.count
                    && (parts.query ?? parts.path).upperBound == url.utf8.count
                    && url.begins(with: text)
            }
        }

        let text: String
        let parts: URLParts
        private let lazyOrigin = LazyReference<KnownOrigin>()

        init(_ text: String, _ parts: URLParts) {
            self.text = text
            self.parts = parts
        }

        /// The origin, kept because several interceptors need it in each call.
        var knownOrigin: KnownOrigin? {
            // Kept alive, because the reference alone does not own the object.
            if let known = withExtendedLifetime(self, { lazyOrigin.object }) { return known }
            guard parts.problem == nil, let scheme = slice(parts.scheme)?.lowercased(),
                let host = slice(parts.host)?.lowercased()
            else { return nil }
            let origin = HTTP.Origin(readScheme: scheme, host: host, port: parts.port)
            return lazyOrigin.keep(KnownOrigin(origin, of: text, parts))
        }

        /// Returns the text in a range of bytes.
        func slice(_ range: Range<Int>?) -> String? {
            guard let range else { return nil }
            let utf8 = text.utf8
            let start = utf8.index(utf8.startIndex, offsetBy: range.lowerBound)
            let end = utf8.index(start, offsetBy: range.count)
            return String(text[start..<end])
        }
    }
}

extension HTTP.URL: Hashable {
    /// Whether both have the same text.
    public static func == (left: HTTP.URL, right: HTTP.URL) -> Bool { left.text == right.text }

    public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

#if canImport(FoundationEssentials)
public import FoundationEssentials

extension HTTP.URL {
    /// Creates a URL from a Foundation URL.
    /// - Throws: A ``HTTP/RequestError`` if it is neither an http or https URL nor relative.
    public init(_ url: FoundationEssentials.URL) throws(HTTP.RequestError) {
        try self.init(string: url.absoluteString)
    }
}
#else
public import Foundation

extension HTTP.URL {
    /// Creates a URL from a Foundation URL.
    /// - Throws: A ``HTTP/RequestError`` if it is neither an http or https URL nor relative.
    public init(_ url: Foundation.URL) throws(HTTP.RequestError) {
        try self.init(string: url.absoluteString)
    }
}
#endif
