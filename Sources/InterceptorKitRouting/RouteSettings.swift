import Foundation
import InterceptorKit
import InterceptorKitTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What a configuration says about its sessions' requests that a `URLProtocol` has to do itself.
struct RouteSettings: Sendable {
    // URLRequest's own; a request that says nothing else takes its configuration's.
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

    /// How long a request may wait for the next sign of progress.
    func idleTimeout(of request: URLRequest) -> Duration {
        let isSet = request.timeoutInterval != RouteSettings.defaultTimeout
        return Duration(interval: isSet ? request.timeoutInterval : timeout)
    }

    /// The request as the chain is to see it.
    /// - Parameter body: In the place of the request's own.
    func request(_ urlRequest: URLRequest, body: HTTP.Body?) throws -> HTTP.Request {
        var request = try HTTP.Request(urlRequest)
        if let body { request.body = body }
        // What carries a stream says how it is framed.
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

    /// Whether the request must be answered from a cache.
    func mustBeCached(_ request: URLRequest) -> Bool {
        policy(of: request) == .returnCacheDataDontLoad
    }

    private func policy(of request: URLRequest) -> URLRequest.CachePolicy {
        request.cachePolicy == .useProtocolCachePolicy ? cachePolicy : request.cachePolicy
    }
}

extension URLRequest.CachePolicy {
    /// The policy as directives of a request's Cache-Control, which caches in the chain and between
    /// client and server understand (RFC 9111 section 5.2.1).
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
    /// Foundation's seconds, held between 1 ms and 1e9 s, of which no clock overflows.
    fileprivate init(interval: TimeInterval) {
        self = .seconds(interval.isNaN ? 1e9 : min(max(interval, 0.001), 1e9))
    }
}
