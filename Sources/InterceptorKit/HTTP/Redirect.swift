extension HTTP {
    /// One redirect: what was asked, how it was answered, and what is asked instead.
    public struct Redirect: Sendable, Hashable {
        /// Which redirect of its call it is, from 1.
        public let number: Int
        /// How the request was answered: 301, 302, 303, 307 or 308 (RFC 9110 section 15.4).
        public let status: Status
        /// What was asked.
        public let source: URL
        /// Where the response pointed: complete, without user information.
        public let target: URL
        /// The method of the request for the target.
        public let method: Method

        /// Whether scheme, host or port differ between source and target.
        public var changesOrigin: Bool { source.origin != target.origin }
    }
}

extension HTTP.Redirect: CustomStringConvertible {
    /// As in `302 Found from https://a.example to https://b.example`; no paths, which may be secret.
    public var description: String {
        "\(status) from \(HTTP.place(source)) to \(HTTP.place(target))"
    }
}

extension HTTP {
    /// A URL's origin, to be shown.
    static func place(_ url: URL) -> String { url.origin?.description ?? "nowhere" }
}

private enum Redirects: CallKey {
    static let defaultValue: [HTTP.Redirect] = []
}

extension Call {
    /// The redirects that led to the request as it travels here, in order.
    ///
    /// What belongs to the caller's origin alone is not given to a request that has left it.
    public var redirects: [HTTP.Redirect] {
        get { self[Redirects.self] }
        set { self[Redirects.self] = newValue }
    }

    /// Whether a redirect led this call to another origin than the caller's, if only on the way.
    public var hasLeftOrigin: Bool { redirects.contains { $0.changesOrigin } }
}
