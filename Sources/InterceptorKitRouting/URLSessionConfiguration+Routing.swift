public import InterceptorKit
import InterceptorKitTransport

#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

extension URLSessionConfiguration {
    /// Returns a copy whose sessions send their requests through a client's chain.
    ///
    /// ```swift
    /// let session = URLSession(configuration: .default.routed(through: client))
    /// let (data, response) = try await session.data(from: url)
    /// ```
    ///
    /// Code that uses the session stays unchanged. Each `http` and `https` request passes the client's interceptors in
    /// their order, and the client's transport sends it. The client must not send through a session of this
    /// configuration.
    ///
    /// The configuration's additional headers, timeouts, cookies and cache policy are read now, so call this last. Its
    /// timeouts replace the client's. `urlCache` is `nil` in the copy, because caching, redirects and credentials are
    /// left to interceptors: a 3xx or 401 from the chain is delivered unchanged.
    ///
    /// Only the copy and its sessions hold the client, in `connectionProxyDictionary`.
    /// - Parameters:
    ///   - client: The client that sends the requests.
    /// - limit: On Linux, the largest response body in bytes for a completion handler or an async call, because
    ///   Foundation requires such a body in one piece. Defaults to 64 MiB.
    public func routed(
        through client: HTTP.Client,
        upTo limit: Int = 64 << 20
    ) -> URLSessionConfiguration {
        guard let copy = copy() as? URLSessionConfiguration else { return self }
        let route = Route(to: client, RouteSettings(self, bodyLimit: limit))
        let others = (protocolClasses ?? []).filter { !($0 is RoutedProtocol.Type) }
        copy.protocolClasses = [protocolClass(of: routeNumber(route.number))] + others
        // Foundation on Linux ends the process if a request is cancelled during a cache look-up.
        copy.urlCache = nil
        // Sessions made from the copy keep this entry; Foundation ignores its unknown name.
        copy.connectionProxyDictionary = connectionProxyDictionary ?? [:]
        copy.connectionProxyDictionary?[routeKey] = RouteOwner(route)
        return copy
    }
}

private func protocolClass<Number: RouteNumber>(of number: Number.Type) -> AnyClass {
    NumberedProtocol<Number>.self
}

/// An object that keeps a route alive as long as a configuration or session.
final class RouteOwner: NSObject {
    private let route: Route

    init(_ route: Route) { self.route = route }
}
