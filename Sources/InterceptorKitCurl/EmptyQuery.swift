import InterceptorKit

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension Configuration {
    /// The target to send in place of what libcurl makes of the URL: where a `?` has nothing after it, which
    /// newer versions forget, so that it would not be the one that is signed. `nil` where libcurl keeps it.
    /// - Throws: Where a proxy is to get the whole URL, for which a target of its own cannot stand.
    func ownTarget(of url: HTTP.URL) throws(HTTP.RequestError) -> String? {
        guard url.query?.isEmpty == true else { return nil }
        guard url.scheme == "https" || !mayGoToProxy else {
            guard library.dropsEmptyQueries else { return nil }
            throw HTTP.RequestError(
                .invalidURL,
                "libcurl \(library.version) would change \(url) on its way to a proxy: it removes a ? with "
                    + "nothing after it. Write the URL without it, or send it without a proxy."
            )
        }
        return (url.path.isEmpty ? "/" : url.path) + "?"
    }

    // By the variables that libcurl reads for `http`, whatever they except.
    private var mayGoToProxy: Bool {
        switch settings.proxy.kind {
        case .none: false
        case .address: true
        case .environment:
            ["http_proxy", "all_proxy", "ALL_PROXY"].contains { name in
                // Safety: the text is looked at in this call only.
                guard let value = unsafe getenv(name) else { return false }
                return unsafe value.pointee != 0
            }
        }
    }
}
