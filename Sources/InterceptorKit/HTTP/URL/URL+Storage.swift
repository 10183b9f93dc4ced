import Synchronization

extension HTTP.URL {
    /// The text of a URL, what is known of it, and its origin once somebody asked.
    final class Storage: Sendable {
        /// An origin and its text.
        final class KnownOrigin: Sendable {
            let origin: HTTP.Origin
            let text: String

            init(_ origin: HTTP.Origin) {
                self.origin = origin
                text = origin.description
            }
        }

        let text: String
        let parts: URLParts
        private let lazyOrigin = AtomicLazyReference<KnownOrigin>()

        init(_ text: String, _ parts: URLParts) {
            self.text = text
            self.parts = parts
        }

        /// The origin, kept because several interceptors ask for it in each call.
        var knownOrigin: KnownOrigin? {
            if let known = lazyOrigin.load() { return known }
            guard parts.problem == nil, let scheme = slice(parts.scheme)?.lowercased(),
                let host = slice(parts.host)?.lowercased()
            else { return nil }
            let origin = HTTP.Origin(readScheme: scheme, host: host, port: parts.port)
            return lazyOrigin.storeIfNil(KnownOrigin(origin))
        }

        /// The part of the text in a range of bytes.
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
