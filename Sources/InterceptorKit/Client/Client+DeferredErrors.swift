extension HTTP.Client {
    /// Creates a client without throwing: what makes it wrong is thrown by each send.
    ///
    /// For the initializers of your own types that cannot throw, as a library's client for a service:
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
    /// Where the caller can act on it, let an initializer throw: a wrong order is found when the program starts, and
    /// not when it sends.
    /// - Parameter make: Makes the client. What it throws, such as a ``PipelineError``, a ``RequestError`` of a URL or an
    ///   error of a key, every call of the client throws, before anything is sent.
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
