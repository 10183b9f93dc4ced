extension HTTP.Client {
    /// Creates a client without throwing: each send throws the error of its creation instead.
    ///
    /// For initializers of your own types that cannot throw, such as that of a library's client for a service:
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
    /// Where the caller can act on the error, let an initializer throw: a wrong order is then found when the program
    /// starts, not when it sends.
    /// - Parameter make: Makes the client. Every call of the client throws the error of this closure before anything is
    ///   sent, such as a ``PipelineError``, a ``RequestError`` of a URL or an error of a key.
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
