/// Tells the server in each attempt how much time the call has left, so that it can stop when nobody waits any more.
///
/// It is below interceptors that send again, so that each attempt names the time left then, and above signatures.
/// Without a deadline it adds no field, and it leaves an existing field alone.
public struct DeadlineFieldInterceptor: Interceptor {
    private let field: HTTP.TimeoutField

    /// Creates an interceptor.
    /// - Parameter field: The field for the remaining time.
    public init(_ field: HTTP.TimeoutField) { self.field = field }

    public var placement: Placement? { .deadlineField }

    public var keepsDeadline: Bool { true }

    public func validate() throws { try field.validate() }

    public nonisolated(nonsending) func intercept(
        chain: InterceptorChain<HTTP.Request>
    ) async throws -> HTTP.Response {
        guard let remaining = chain.call.remaining else { return try await chain.proceed() }
        return try await chain.proceed { request in
            request.headers.setIfAbsent(name: field.name, value: field.text(for: remaining))
        }
    }
}

extension HTTP.TimeoutField {
    func validate() throws(HTTP.RequestError) {
        guard !HTTP.FieldSyntax.isToken(name) else { return }
        throw HTTP.RequestError(
            .invalidField,
            "\(HTTP.printable(name)) is not a field name (RFC 9110 section 5.1)."
        )
    }
}
