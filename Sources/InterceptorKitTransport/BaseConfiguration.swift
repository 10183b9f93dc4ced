import Foundation
import InterceptorKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The key in a configuration's `connectionProxyDictionary` whose value keeps the configuration's route. It is no proxy.
package let routeKey = "InterceptorKit.Route"

/// The part of a user's configuration that all sessions of a transport are made from.
struct BaseConfiguration: Sendable {
    /// The base for a transport without a configuration of its user.
    static let standard = BaseConfiguration(of: .ephemeral)

    // Foundation's default, seven days.
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

    var settings: URLSessionTransport.Settings {
        var settings = URLSessionTransport.Settings()
        settings.maximumConnectionsPerHost = copy.httpMaximumConnectionsPerHost
        let longest = Double(URLSessionTransport.Settings.idleRange.upperBound)
        settings.idleTimeout = .seconds(min(copy.timeoutIntervalForRequest, longest))
        return settings
    }

    /// The longest time a response may take, where URLSession does not enforce it itself.
    var resourceTimeout: Duration? {
        #if canImport(FoundationNetworking)
        let interval = copy.timeoutIntervalForResource
        return interval < BaseConfiguration.defaultResourceTimeout ? .seconds(interval) : nil
        #else
        nil
        #endif
    }

    /// Returns the request with the configuration's fields that it lacks.
    ///
    /// URLSession cannot add them, because the transport's default fields would take precedence.
    func completed(_ request: HTTP.Request) -> HTTP.Request {
        if fields.isEmpty { return request }
        var request = request
        for field in fields { request.headers.setIfAbsent(name: field.name, value: field.value) }
        return request
    }

    func configuration(with settings: URLSessionTransport.Settings) -> URLSessionConfiguration {
        let configuration = (copy.copy() as? URLSessionConfiguration) ?? copy
        // On Linux, cancelling a request with a cache ends the process; a cookie store overwrites a request's own
        // Cookie field; policy belongs to interceptors anyway.
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
    /// The additional headers of a configuration, sorted because a dictionary has no order.
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
