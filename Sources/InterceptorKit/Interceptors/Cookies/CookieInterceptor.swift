/// Sends the cookies that servers set (RFC 6265), and stores new ones.
///
/// Each cookie goes only where its server and the rules allow: by host, path, https and time. The caller's own `Cookie`
/// field stays, and replaces stored cookies of the same names. At most 8,190 bytes are sent (as in curl); further
/// cookies are left out.
///
/// Put it **inside** redirects, retries and tokens, and **outside** signing: each redirect and attempt carries the
/// newest cookies, including those set by intermediate responses such as a 401 before a token refresh, and a signature
/// may cover them. A cache above it does not see cookies; if responses depend on them, give each jar a cache partition.
///
/// A response's cookies are stored when its head has arrived: those of its first 50 `Set-Cookie` fields (as in curl);
/// the others are ignored. Nothing is stored if no response arrives.
public struct CookieInterceptor: Interceptor {
    private static let largestField = 8190
    // MAX_SET_COOKIE_AMOUNT, since curl 7.84.0 (CVE-2022-32205).
    private static let maximumFields = 50

    private let store: any CookieStore
    private let isPublicSuffix: HTTP.Cookie.PublicSuffixRule

    /// Creates an interceptor.
    /// - Parameters:
    ///   - store: The store for the cookies; for one call, see ``Call/usesCookies``. Defaults to a jar of its own.
    ///   - isPublicSuffix: Whether a domain is a public suffix, for which no cookie is stored. Defaults to
    ///     ``HTTP/Cookie/isSingleLabel``, which needs no list and does not know `co.uk`.
    public init(
        store: some CookieStore = CookieJar(),
        isPublicSuffix: @escaping HTTP.Cookie.PublicSuffixRule = HTTP.Cookie.isSingleLabel
    ) {
        self.store = store
        self.isPublicSuffix = isPublicSuffix
    }

    public var placement: Placement? { .cookies }

    public nonisolated(nonsending) func intercept(
        chain: InterceptorChain<HTTP.Request>
    ) async throws -> HTTP.Response {
        let call = chain.call
        guard call.usesCookies else { return try await chain.proceed() }
        let response = try await send(chain)
        await storeReceived(response.headers.values("Set-Cookie"), from: chain.input.url, call)
        return response
    }

    private nonisolated(nonsending) func send(
        _ chain: InterceptorChain<HTTP.Request>
    ) async throws -> HTTP.Response {
        let call = chain.call
        let stored = await store.cookies(for: chain.input.url, at: call.runtime.date)
        var request = chain.input
        let count = request.headers.addCookies(stored, upTo: Self.largestField)
        guard count > 0 else { return try await chain.proceed() }
        call.emit(.cookiesAttached, ["count": .number(count)])
        return try await chain.proceed(request, call: call.credentialFields(adding: ["Cookie"]))
    }

    private nonisolated(nonsending) func storeReceived(
        _ fields: [String],
        from url: HTTP.URL,
        _ call: Call
    ) async {
        guard !fields.isEmpty else { return }
        let date = call.runtime.date
        let kept = fields.prefix(Self.maximumFields).compactMap {
            HTTP.Cookie($0, from: url, at: date, isPublicSuffix: isPublicSuffix)
        }
        call.emit(
            .cookiesReceived,
            ["kept": .number(kept.count), "refused": .number(fields.count - kept.count)]
        )
        await store.store(kept, from: url, at: date)
    }
}

extension HTTP.Headers {
    /// Adds the cookies whose names are not present, after the present ones, in one field.
    /// - Returns: The number of added cookies.
    fileprivate mutating func addCookies(_ cookies: [HTTP.Cookie], upTo limit: Int) -> Int {
        let own = values("Cookie").filter { !$0.isEmpty }
        let names = Set(own.flatMap { $0.split(at: ";") }.map(Self.cookieName))
        var pairs = own
        var size = own.reduce(0) { $0 + $1.utf8.count + 2 }
        for cookie in cookies where !names.contains(cookie.name) {
            let pair = "\(cookie.name)=\(cookie.value)"
            guard size + pair.utf8.count <= limit else { break }
            size += pair.utf8.count + 2
            pairs.append(pair)
        }
        if pairs.count > own.count { self["Cookie"] = pairs.joined(separator: "; ") }
        return pairs.count - own.count
    }

    private static func cookieName(_ pair: Substring) -> String {
        HTTP.FieldSyntax.trimmed(String(pair.beginning(before: "=")))
    }
}

private enum UsesCookies: PartitioningCallKey {
    static let defaultValue = true
}

extension Call {
    /// Whether this call sends stored cookies and stores those of its responses. Defaults to `true`.
    public var usesCookies: Bool {
        get { self[UsesCookies.self] }
        set { self[UsesCookies.self] = newValue }
    }
}

extension Event.Name {
    /// Cookies were attached: `count`.
    public static let cookiesAttached: Self = "cookies.attached"
    /// A response set cookies: `kept`, and `refused` for the others, invalid or too many.
    public static let cookiesReceived: Self = "cookies.received"
}
