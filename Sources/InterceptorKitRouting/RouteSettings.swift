import Foundation
import InterceptorKit
import InterceptorKitTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The parts of a configuration that a `URLProtocol` has to implement itself.
struct RouteSettings: Sendable {
    // The default of URLRequest. A request with this value uses its configuration's timeout.
    private static let defaultTimeout: TimeInterval = 60

    private let fields: [(name: String, value: String)]
    private let timeout: TimeInterval
    private let cachePolicy: URLRequest.CachePolicy
    let resourceTimeout: Duration
    let cookies: RouteCookies?
    /// The largest body held in memory, in bytes.
    let bodyLimit: Int

    init(_ configuration: URLSessionConfiguration, bodyLimit: Int) {
        fields = (configuration.httpAdditionalHeaders ?? [:])
            .map { ("\($0.key)", "\($0.value)") }
            .sorted { $0.0 < $1.0 }
        timeout = configuration.timeoutIntervalForRequest
        cachePolicy = configuration.requestCachePolicy
        resourceTimeout = Duration(interval: configuration.timeoutIntervalForResource)
        cookies = RouteCookies(configuration)
        self.bodyLimit = bodyLimit
    }

    /// Returns the longest time without progress.
    func idleTimeout(of request: URLRequest) -> Duration {
        let isSet = request.timeoutInterval != RouteSettings.defaultTimeout
        return Duration(interval: isSet ? request.timeoutInterval : timeout)
    }

    /// Returns the request for the chain.
    /// - Parameter body: The body that replaces the request's own.
    func request(_ urlRequest: URLRequest, body: HTTP.Body?) throws -> HTTP.Request {
        var request = try HTTP.Request(urlRequest)
        if let body { request.body = body }
        // The transport that sends a stream states its framing.
        if request.body.inMemory == nil { request.headers["Content-Length"] = nil }
        for field in fields { request.headers.setIfAbsent(name: field.name, value: field.value) }
        if let cookie = cookies?.field(for: urlRequest) {
            request.headers.setIfAbsent(name: "Cookie", value: cookie)
        }
        if let directive = policy(of: urlRequest).directive {
            request.headers.setIfAbsent(name: "Cache-Control", value: directive)
        }
        return request
    }

    func mustBeCached(_ request: URLRequest) -> Bool {
        policy(of: request) == .returnCacheDataDontLoad
    }

    private func policy(of request: URLRequest) -> URLRequest.CachePolicy {
        request.cachePolicy == .useProtocolCachePolicy ? cachePolicy : request.cachePolicy
    }
}

extension URLRequest.CachePolicy {
    /// The policy as directives of a request's Cache-Control, for caches in the chain and between client and server
    /// (RFC 9111 section 5.2.1).
    fileprivate var directive: String? {
        switch self {
        case .reloadIgnoringLocalCacheData, .reloadIgnoringLocalAndRemoteCacheData,
            .reloadRevalidatingCacheData:
            "no-cache"
        case .returnCacheDataElseLoad: "max-stale"
        case .returnCacheDataDontLoad: "only-if-cached, max-stale"
        default: nil
        }
    }
}

extension Duration {
    /// Creates a duration from Foundation's seconds, clamped to 1 ms ... 1e9 s, so that no clock overflows.
    fileprivate init(interval: TimeInterval) {
        self = .seconds(interval.isNaN ? 1e9 : min(max(interval, 0.001), 1e9))
    }
}
