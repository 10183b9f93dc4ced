extension HTTP {
    /// Scheme, host and port: the boundary that credentials do not cross (RFC 6454).
    public struct Origin: Hashable, Sendable {
        /// The scheme, `http` or `https`.
        public let scheme: String
        /// The host in lower case.
        public let host: String
        /// The port; the scheme's default port if none was given.
        public let port: Int

        // The text that was given, if it isn't an origin.
        private let invalidText: String?

        /// Creates an origin.
        ///
        /// Parts that aren't valid match no origin, and building a pipeline with them fails.
        /// - Parameters:
        ///   - scheme: `http` or `https`.
        ///   - host: The host; an IPv6 address in brackets.
        ///   - port: The port. Defaults to the scheme's default, 80 or 443.
        public init(scheme: String, host: String, port: Int? = nil) {
            let port = port.map { ":\($0)" } ?? ""
            self.init(scheme + "://" + host + port)
        }

        /// Creates the origin of a URL that was parsed.
        init(readScheme scheme: String, host: String, port: Int?) {
            self.scheme = scheme.lowercased()
            self.host = host.lowercased()
            self.port = port ?? (self.scheme == "https" ? 443 : 80)
            invalidText = nil
        }

        /// Creates an origin from text like `https://api.example.com`.
        ///
        /// Invalid text matches no origin, and building a pipeline with it fails.
        public init(_ text: String) {
            let url = URL(unvalidated: text)
            if let origin = url.origin, url.path.isEmpty || url.path == "/", url.query == nil,
                origin.scheme == "http" || origin.scheme == "https", !origin.host.isEmpty
            {
                self = origin
            } else {
                scheme = ""
                host = ""
                port = 0
                invalidText = text
            }
        }

        /// Throws if the origin was made from invalid text.
        public func validate() throws(RequestError) {
            guard let invalidText else { return }
            throw RequestError(
                .invalidURL,
                "\(HTTP.printable(invalidText)) is not an origin; write a scheme and a host without a "
                    + "path, like https://api.example.com."
            )
        }

        private var isDefaultPort: Bool { port == (scheme == "https" ? 443 : 80) }

        /// The host, with the port unless it is the scheme's default, as in a `Host` field.
        public var authority: String { isDefaultPort ? host : "\(host):\(port)" }
    }
}

extension HTTP.Origin: ExpressibleByStringLiteral {
    /// Creates an origin; invalid text matches none, and building a pipeline with it fails.
    public init(stringLiteral value: String) { self.init(value) }
}

extension HTTP.Origin: CustomStringConvertible {
    /// The origin as text, as in `https://api.example.com`.
    public var description: String { "\(scheme)://\(authority)" }
}
