/// Adds query parameters to each request, such as the app, the device, the language and the time.
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
/// The parameters follow the request's own, which stay byte for byte, in the given order and percent-encoded (RFC 3986
/// section 2.1; a space is `%20`). They are made once per call, so that every attempt has the same. The interceptor is
/// above those that send again or sign, so that signatures cover them. A redirect goes to the server's target without
/// them. ``Call/addsCommonParameters`` turns them off for one call.
public struct CommonParametersInterceptor: Interceptor {
    /// A closure that returns the parameters to add.
    public typealias Parameters =
        @Sendable (_ call: Call) async throws -> HTTP.Parameters

    private let parameters: Parameters
    private let rule: HTTP.MergeRule
    private let scope: OriginScope

    /// Creates an interceptor.
    /// - Parameters:
    ///   - rule: The rule for a parameter that the request already has. Defaults to keeping it.
    ///   - origins: The only origins whose requests get the parameters; `nil`, the default, means all, also those of
    ///     complete URLs to other origins. With a list, put it below the ``BaseURLInterceptor``.
    ///   - parameters: Returns the parameters to add; an error ends the call.
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
        let pairs = try await parameters(chain.call)
        return try await chain.proceed { $0.url = $0.url.merging(query: pairs, rule) }
    }
}

private enum AddsCommonParameters: CallKey {
    static let defaultValue = true
}

extension Call {
    /// Whether this call's requests get the parameters of ``CommonParametersInterceptor``. Defaults to `true`.
    public var addsCommonParameters: Bool {
        get { self[AddsCommonParameters.self] }
        set { self[AddsCommonParameters.self] = newValue }
    }
}
