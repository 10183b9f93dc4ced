/// Adds header fields to requests, by default only those that a request lacks.
///
/// ```swift
/// DefaultHeadersInterceptor(["Accept": "application/json"])
/// DefaultHeadersInterceptor(merging: .replaceExisting) { call in
///     ["X-Sent-At": HTTP.text(for: call.runtime.date)]
/// }
/// ```
///
/// It is above interceptors that send again: the values are made once per call, and every attempt has the same. A
/// redirect to another origin keeps them only if its policy says so. ``Call/addsDefaultHeaders`` turns them off for one
/// call.
public struct DefaultHeadersInterceptor: Interceptor {
    /// A closure that returns the fields to add.
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
    ///   - fields: The fields. Building a pipeline fails with a name or value that cannot be sent.
    ///   - rule: The rule for a field that the request already has. Defaults to keeping it.
    ///   - origins: The only origins whose requests get the fields; `nil`, the default, means all. With a list, put it
    ///     below the ``BaseURLInterceptor``.
    public init(
        _ fields: HTTP.Headers,
        merging rule: HTTP.MergeRule = .keepExisting,
        origins: [HTTP.Origin]? = nil
    ) {
        source = .fixed(fields)
        self.rule = rule
        scope = OriginScope(origins)
    }

    /// Creates an interceptor that makes the fields for each call.
    /// - Parameters:
    ///   - rule: The rule for a field that the request already has. Defaults to keeping it.
    ///   - origins: The only origins whose requests get the fields; `nil`, the default, means all. With a list, put it
    ///     below the ``BaseURLInterceptor``.
    ///   - fields: Returns the fields to add; an error ends the call.
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

    public var keepsDeadline: Bool { if case .fixed = source { true } else { false } }

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

private enum AddsDefaultHeaders: CallKey {
    static let defaultValue = true
}

extension Call {
    /// Whether this call's requests get the fields of ``DefaultHeadersInterceptor`` and ``UserAgentInterceptor``.
    /// Defaults to `true`.
    public var addsDefaultHeaders: Bool {
        get { self[AddsDefaultHeaders.self] }
        set { self[AddsDefaultHeaders.self] = newValue }
    }
}
