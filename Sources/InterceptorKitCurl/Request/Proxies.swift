import InterceptorKit

/// The proxies of a transport, which are read from the settings or the environment when it is created.
struct Proxies: Sendable {
    private let http: String?
    private let https: String?
    private let exceptions: ProxyExceptions
    // Whether libcurl ignores the environment because of an option (CURLOPT_PRE_PROXY).
    private let isIgnored: Bool

    private static let preProxy = 10262

    init(_ settings: CurlTransport.Settings) {
        let proxy = settings.proxy
        isIgnored =
            proxy.kind == .environment
            && settings.options.contains { $0.number == Self.preProxy }
        switch proxy.kind {
        case .none: (http, https) = (nil, nil)
        case .address: (http, https) = (proxy.address, proxy.address)
        case .environment:
            // The variables that libcurl reads. A web server may set HTTP_PROXY from a request (CVE-2016-5385).
            http = Self.first("http_proxy", "all_proxy", "ALL_PROXY")
            https = Self.first("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY")
        }
        exceptions = ProxyExceptions(of: proxy)
    }

    /// Whether the proxy depends on the request.
    var differ: Bool {
        !isIgnored && (http != https || (http != nil && !exceptions.isEmpty))
    }

    /// The proxy where it does not depend on the request, and libcurl's text for none otherwise.
    var common: String { isIgnored || differ ? "" : http ?? "" }

    /// Returns the proxy for a URL; `nil` for none.
    func address(for url: HTTP.URL) -> String? {
        guard let proxy = url.origin?.scheme == "https" ? https : http, !exceptions.contain(url)
        else {
            return nil
        }
        return proxy
    }

    private static func first(_ names: String...) -> String? {
        names.lazy.compactMap(variable).first
    }
}
