import CInterceptorKitCurl
import InterceptorKit

extension Configuration {
    /// The route of a request to its host.
    enum Route {
        /// Over a connection to the host, or one that a proxy tunnels unchanged.
        case direct
        /// Through an HTTP proxy that gets the whole URL.
        case absoluteForm
        /// Determined by the settings' options, which may be any.
        case unknown
    }

    /// - Parameter address: The address that is connected to in place of the URL's host; an HTTP proxy is asked for a
    ///   tunnel to it.
    func route(to url: HTTP.URL, at address: HTTP.ConnectAddress?) -> Route {
        guard url.origin?.scheme == "http", address == nil, settings.unixSocketPath == nil,
            !settings.proxy.usesDigest, let proxy = proxies.address(for: url)
        else { return .direct }
        if !settings.options.isEmpty { return .unknown }
        return proxy.lowercased().begins(with: "socks") ? .direct : .absoluteForm
    }

    /// Returns the target to send where libcurl would change the one that is signed; `nil` where it keeps that. It
    /// drops a `?` with nothing after it on the way to a proxy (newer versions always), and 8.22 capitalises
    /// percent-encoded bytes.
    func explicitTarget(of url: HTTP.URL, on route: Route) throws(HTTP.RequestError) -> String? {
        let isEmpty = url.query?.isEmpty == true
        guard isEmpty || url.text.hasLowercaseEscape else { return nil }
        switch route {
        case .direct: return url.requestTarget
        case .absoluteForm: return url.text
        case .unknown where !isEmpty: return nil
        case .unknown:
            throw HTTP.RequestError(
                .invalidURL,
                "libcurl \(library.version) would change \(url) on its way to a proxy: it removes a ? with "
                    + "nothing after it. Write the URL without it, or use a transport without options."
            )
        }
    }

    /// Sets the proxy for one request, where its scheme or host makes a difference.
    func applyProxy(for url: HTTP.URL, to easy: Easy) throws(CurlError) {
        guard proxies.differ else { return }
        try easy.set(IKCURL_OPT_PROXY, proxies.address(for: url) ?? "")
    }
}

extension String {
    /// Whether a byte is percent-encoded with a letter from a to f.
    fileprivate var hasLowercaseEscape: Bool {
        guard ByteMarks.holds(UInt8(ascii: "%"), self) else { return false }
        var next = 0
        for byte in utf8 {
            if byte == UInt8(ascii: "%") {
                next = 2
            } else if next > 0 {
                if (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte) { return true }
                next -= 1
            }
        }
        return false
    }
}
