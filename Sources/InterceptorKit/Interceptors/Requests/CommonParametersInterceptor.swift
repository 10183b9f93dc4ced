/// Adds query parameters to each request: who the app is, on which device, in which language, when.
///
/// ```swift
/// CommonParametersInterceptor(origins: ["https://api.example.com"]) { call in
///     [
///         "app_id": "shop", "app_version": "2.1",
///         "device_id": device,
///         "ts": "\(Int(call.runtime.date.timeIntervalSince1970))",
///     ]
/// }
/// ```
///
/// They come in the order given after those the request has, which stay byte for byte, and are
/// percent-encoded (RFC 3986 section 2.1; a blank is `%20`). They are asked for once a call: every
/// attempt has the same. It stands above what repeats and signs, so signatures cover them. A redirect
/// goes where the server says, without them. ``Call/addsCommonParameters`` leaves them out for one call.
public struct CommonParametersInterceptor: Interceptor {
    /// Says which parameters to add.
    public typealias Parameters =
        @Sendable (_ call: Call) async throws -> HTTP.Parameters

    private let parameters: Parameters
    private let rule: HTTP.MergeRule
    private let scope: OriginScope

    /// Creates an interceptor.
    /// - Parameters:
    ///   - rule: What happens to a parameter the request has already. Defaults to keeping it.
    ///   - origins: The only origins whose requests get them; `nil`, the default, means all, also those of
    ///     complete URLs that point elsewhere. With a list, it must stand below the
    ///     ``BaseURLInterceptor``.
    ///   - parameters: Says which to add; what it throws ends the call.
    public init(
        merging rule: HTTP.MergeRule = .keepExisting,
        origins: [HTTP.Origin]? = nil,
        _ parameters: @escaping Parameters
    ) {
        self.parameters = parameters
        self.rule = rule
        scope = OriginScope(origins)
    }

    public var placement: Placement? { .requestPreparation }

    public func validate() throws { try scope.validate() }

    public nonisolated(nonsending) func intercept(
        chain: InterceptorChain<HTTP.Request>
    ) async throws -> HTTP.Response {
        guard chain.call.addsCommonParameters,
            try scope.includes(chain.input.url, for: "CommonParametersInterceptor")
        else { return try await chain.proceed() }
        let pairs = try await parameters(chain.call).asTuples
        return try await chain.proceed { $0.url = $0.url.merging(query: pairs, rule) }
    }
}
