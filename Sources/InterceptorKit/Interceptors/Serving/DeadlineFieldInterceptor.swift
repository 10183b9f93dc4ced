/// Tells the server in each attempt how much time the call still has, for it to give up when nobody
/// waits any more.
///
/// Stands below what repeats, so that each attempt says what is left then, and above signatures. A call
/// without a deadline says nothing, and a request that says it itself is left alone.
public struct DeadlineFieldInterceptor: Interceptor {
    private let field: TimeoutField

    /// Creates an interceptor.
    /// - Parameter field: Where the server looks for it.
    public init(_ field: TimeoutField) { self.field = field }

    public var placement: Placement? { .deadlineField }

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

extension TimeoutField {
    func validate() throws(HTTP.RequestError) {
        guard !HTTP.FieldSyntax.isToken(name) else { return }
        throw HTTP.RequestError(
            .invalidField,
            "\(HTTP.printable(name)) is not a field name (RFC 9110 section 5.1)."
        )
    }
}
