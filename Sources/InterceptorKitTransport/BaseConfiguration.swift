import Foundation
import InterceptorKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The key in a configuration's `connectionProxyDictionary` of what keeps its route, which is no proxy.
package let routeKey = "InterceptorKit.Route"

/// The configuration that those of a transport's sessions are made from: what is kept of a user's.
struct BaseConfiguration: Sendable {
    /// The one of a transport whose user has none.
    static let standard = BaseConfiguration(of: .ephemeral)

    // Seven days, of Foundation.
    private static let defaultResourceTimeout: TimeInterval = 604_800

    private let copy: URLSessionConfiguration
    private let fields: HTTP.Headers

    /// Throws an error for the first property that a transport cannot honour.
    init(copying configuration: URLSessionConfiguration) throws(SettingError) {
        let check = SettingCheck(of: "URLSessionConfiguration")
        try check.require(
            configuration.identifier == nil,
            "identifier",
            "that of a background session",
            "nil",
            "A background session has no data tasks, and so none of its transfers is a call of a chain."
        )
        for (name, interval) in [
            ("timeoutIntervalForRequest", configuration.timeoutIntervalForRequest),
            ("timeoutIntervalForResource", configuration.timeoutIntervalForResource),
        ] {
            try check.require(interval > 0, name, "\(interval)", "positive")
        }
        try check.require(
            configuration.requestCachePolicy != .returnCacheDataDontLoad,
            "requestCachePolicy",
            "returnCacheDataDontLoad",
            "one that may load",
            "The transport has no cache. Put a CacheInterceptor of InterceptorKitCaching into the chain."
        )
        #if canImport(FoundationNetworking)
        let proxies = (configuration.connectionProxyDictionary ?? [:]).keys.filter {
            $0 != AnyHashable(routeKey)
        }
        try check.require(
            proxies.isEmpty,
            "connectionProxyDictionary",
            "set",
            "empty on Linux",
            "URLSession there takes its proxy from http_proxy and https_proxy of the environment alone. "
                + "CurlTransport of InterceptorKitCurl has a setting for it."
        )
        #endif
        guard let copy = configuration.copy() as? URLSessionConfiguration else {
            throw SettingError(
                "URLSessionConfiguration",
                is: "not copied",
                mustBe: "one that can be"
            )
        }
        self.copy = copy
        fields = try HTTP.Headers(of: configuration, check)
    }

    private init(of configuration: URLSessionConfiguration) {
        copy = configuration
        fields = [:]
    }

    /// The settings that say the same as the configuration.
    var settings: URLSessionTransport.Settings {
        var settings = URLSessionTransport.Settings()
        settings.maximumConnectionsPerHost = copy.httpMaximumConnectionsPerHost
        let longest = Double(URLSessionTransport.Settings.idleRange.upperBound)
        settings.idleTimeout = .seconds(min(copy.timeoutIntervalForRequest, longest))
        return settings
    }

    /// How long a response may take, if nobody else looks at that.
    var resourceTimeout: Duration? {
        #if canImport(FoundationNetworking)
        let interval = copy.timeoutIntervalForResource
        return interval < BaseConfiguration.defaultResourceTimeout ? .seconds(interval) : nil
        #else
        nil
        #endif
    }

    /// The request with the configuration's fields that it lacks.
    ///
    /// Not left to URLSession, because the transport's own would come before them.
    func completed(_ request: HTTP.Request) -> HTTP.Request {
        if fields.isEmpty { return request }
        var request = request
        for field in fields { request.headers.setIfAbsent(name: field.name, value: field.value) }
        return request
    }

    /// What a session is made with.
    func configuration(with settings: URLSessionTransport.Settings) -> URLSessionConfiguration {
        let configuration = (copy.copy() as? URLSessionConfiguration) ?? copy
        // With a cache, cancelling a request ends the process on Linux; with a cookie store, a
        // request's own Cookie field is overwritten; policy belongs to interceptors anyway.
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCredentialStorage = nil
        configuration.httpAdditionalHeaders = nil
        configuration.httpMaximumConnectionsPerHost = settings.maximumConnectionsPerHost
        configuration.timeoutIntervalForRequest = TimeInterval(settings.idleSeconds)
        return configuration
    }
}

extension HTTP.Headers {
    /// The additional headers of a configuration, sorted, because a dictionary has no order.
    fileprivate init(
        of configuration: URLSessionConfiguration,
        _ check: SettingCheck
    ) throws(SettingError) {
        self.init()
        let fields = configuration.httpAdditionalHeaders ?? [:]
        for (name, value) in fields.sorted(by: { "\($0.key)" < "\($1.key)" }) {
            guard let name = name as? String, let value = value as? String else {
                let rule = "text with a name that is text"
                try check.require(false, "httpAdditionalHeaders", "\(type(of: value))", rule)
                continue
            }
            append(name: name, value: value)
        }
        do throws(HTTP.RequestError) {
            try HTTP.Request.get("https://localhost/", headers: self).validate()
        } catch {
            let rule = "fields that can be sent"
            try check.require(false, "httpAdditionalHeaders", "set", rule, error.message)
        }
    }
}
