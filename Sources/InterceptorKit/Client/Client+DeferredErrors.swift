extension HTTP.Client {
    /// Creates a client without throwing: each send throws the creation error instead.
    ///
    /// Use it in initializers that cannot throw, such as that of a library's client for a service:
    ///
    /// ```swift
    /// http = HTTP.Client(deferringErrors: {
    ///     try HTTP.Client(transport: transport) {
    ///         BaseURLInterceptor(try HTTP.URL(string: settings.endpoint))
    ///         ErrorFilterInterceptor()
    ///     }
    /// })
    /// ```
    ///
    /// If the caller can act on the error, use a throwing initializer instead: a wrong order is then found when the
    /// program starts, not when it sends.
    /// - Parameter make: Creates the client. Every call of the client throws this closure's error, such as a
    ///   ``PipelineError`` or a ``RequestError``, before anything is sent.
    public init(deferringErrors make: () throws -> HTTP.Client) {
        do {
            self = try make()
        } catch {
            self.init(
                pipeline: Pipeline(failing: error),
                timeout: nil,
                runtime: .live,
                redaction: nil,
                envelope: nil,
                classifier: nil
            )
        }
    }
}
