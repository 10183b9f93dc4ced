import InterceptorKit

/// The proxies of a transport, which are read from the settings or the environment when it is created.
struct Proxies: Sendable {
    private let http: String?
    private let https: String?
    private let exceptions: ProxyExceptions

    init(_ settings: CurlTransport.Proxy) {
        switch settings.kind {
        case .none: (http, https) = (nil, nil)
        case .address: (http, https) = (settings.address, settings.address)
        case .environment:
            // The variables that libcurl reads. A web server may set HTTP_PROXY from a request (CVE-2016-5385).
            http = Self.first("http_proxy", "all_proxy", "ALL_PROXY")
            https = Self.first("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY")
        }
        exceptions = ProxyExceptions(of: settings)
    }

    /// Whether the proxy depends on the request.
    var differ: Bool { http != https || (http != nil && !exceptions.isEmpty) }

    /// The proxy where it does not depend on the request, and libcurl's text for none otherwise.
    var common: String { differ ? "" : http ?? "" }

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
