/// Adds header fields to requests: those that a request does not have itself, unless told otherwise.
///
/// ```swift
/// DefaultHeadersInterceptor(["Accept": "application/json"])
/// DefaultHeadersInterceptor(merging: .replaceExisting) { call in
///     ["X-Sent-At": HTTP.text(for: call.runtime.date)]
/// }
/// ```
///
/// It stands above what repeats, so the values are asked for once a call, and every attempt has the same.
/// A redirect to another origin takes them along only if its policy says so. ``Call/addsDefaultHeaders``
/// leaves them out for one call.
public struct DefaultHeadersInterceptor: Interceptor {
    /// Says which fields to add.
    public typealias Fields = @Sendable (_ call: Call) async throws -> HTTP.Headers

    private enum Source: Sendable {
        case fixed(HTTP.Headers)
        case made(Fields)
    }

    private let source: Source
    private let rule: HTTP.MergeRule
    private let scope: OriginScope

    /// Creates an interceptor that adds the same fields to each request.
    /// - Parameters:
    ///   - fields: The fields. A name or value that cannot be sent fails when a pipeline is built.
    ///   - rule: What happens to a field the request has already. Defaults to keeping it.
    ///   - origins: The only origins whose requests get them; `nil`, the default, means all. With a list,
    ///     it must stand below the ``BaseURLInterceptor``.
    public init(
        _ fields: HTTP.Headers,
        merging rule: HTTP.MergeRule = .keepExisting,
        origins: [HTTP.Origin]? = nil
    ) {
        source = .fixed(fields)
        self.rule = rule
        scope = OriginScope(origins)
    }

    /// Creates an interceptor that asks for the fields each time.
    /// - Parameters:
    ///   - rule: What happens to a field the request has already. Defaults to keeping it.
    ///   - origins: The only origins whose requests get them; `nil`, the default, means all. With a list,
    ///     it must stand below the ``BaseURLInterceptor``.
    ///   - fields: Says which fields to add; what it throws ends the call.
    public init(
        merging rule: HTTP.MergeRule = .keepExisting,
        origins: [HTTP.Origin]? = nil,
        _ fields: @escaping Fields
    ) {
        source = .made(fields)
        self.rule = rule
        scope = OriginScope(origins)
    }

    public var placement: Placement? { .requestPreparation }

    public func validate() throws {
        try scope.validate()
        if case .fixed(let fields) = source, let problem = fields.problem { throw problem }
    }

    public nonisolated(nonsending) func intercept(
        chain: InterceptorChain<HTTP.Request>
    ) async throws -> HTTP.Response {
        guard chain.call.addsDefaultHeaders,
            try scope.includes(chain.input.url, for: "DefaultHeadersInterceptor")
        else { return try await chain.proceed() }
        let fields: HTTP.Headers
        switch source {
        case .fixed(let same): fields = same
        case .made(let make): fields = try await make(chain.call)
        }
        if let problem = fields.problem { throw problem }
        return try await chain.proceed { $0.headers.merge(fields, rule) }
    }
}
