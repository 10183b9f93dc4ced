extension HTTP {
    /// A redirect from one URL to another.
    public struct Redirect: Sendable, Hashable {
        /// The number of the redirect within its call, from 1.
        public let number: Int
        /// The status of the response: 301, 302, 303, 307 or 308 (RFC 9110 section 15.4).
        public let status: Status
        /// The URL of the redirected request.
        public let source: URL
        /// The URL that the response named, complete and without user information, or the one that
        /// ``RedirectPolicy/prepare`` put in its place.
        public let target: URL
        /// The method of the request for the target.
        public let method: Method
        /// The header fields of the response. The values of all are hidden whose names are not in
        /// ``Redaction/shownFields`` or ``Redaction/urlFields`` of the call's redaction, such as those of `Set-Cookie`
        /// and of your own `X-…`. To keep cookies, use a ``CookieInterceptor``.
        public let headers: Headers

        /// Whether scheme, host or port differ between source and target.
        public var changesOrigin: Bool { source.origin != target.origin }
    }
}

extension HTTP {
    /// A redirect and the request that follows it.
    struct RedirectStep: Sendable {
        let redirect: Redirect
        let request: Request
    }
}

extension HTTP.Redirect {
    /// Two redirects are equal if all is, including the order and the spelling of the fields.
    public static func == (one: Self, other: Self) -> Bool {
        (one.number, one.status, one.source, one.target, one.method)
            == (other.number, other.status, other.source, other.target, other.method)
            && one.headers.elementsEqual(other.headers)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(number)
        hasher.combine(source)
        hasher.combine(target)
    }
}

extension HTTP.Redirect: CustomStringConvertible {
    /// The redirect as text, as in `302 Found from https://a.example to https://b.example`, without paths, which may be
    /// secret.
    public var description: String {
        "\(status) from \(HTTP.originDescription(of: source)) to \(HTTP.originDescription(of: target))"
    }
}

extension HTTP {
    /// Returns a URL's origin as text to show.
    static func originDescription(of url: URL) -> String { url.origin?.description ?? "nowhere" }
}

private enum Redirects: CallKey {
    static let defaultValue: [HTTP.Redirect] = []
}

extension Call {
    /// The redirects that led to the request at this place in the chain, in order.
    ///
    /// Don't add data for the caller's origin to a request that has left it.
    public var redirects: [HTTP.Redirect] {
        get { self[Redirects.self] }
        set { self[Redirects.self] = newValue }
    }

    /// Whether any redirect led this call to another origin, even if a later one led back.
    public var hasLeftOrigin: Bool { redirects.contains { $0.changesOrigin } }
}
