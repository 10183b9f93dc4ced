extension HTTP.Client {
    /// Creates a client with the standard chain; add what is yours, in any order.
    ///
    /// ```swift
    /// let api = try HTTP.Client.standard(transport: URLSessionTransport()) {
    ///     BaseURLInterceptor("https://api.example.com/v1")
    ///     ErrorFilterInterceptor()
    ///     TokenInterceptor(source: tokens, origins: ["https://api.example.com"])
    ///     SignInterceptor(.hmacSHA256(keyID: "app-1", secret: secret))
    /// }
    /// ```
    ///
    /// It is ``Pipeline/standard(transport:_:runtime:events:adding:)`` with redirects followed, and bodies
    /// given up that stall or drip. The whole call's time is the settings' `totalTimeout`; for one call it is changed by
    /// ``Call/totalTimeout``.
    /// - Parameters:
    ///   - transport: What carries the requests.
    ///   - settings: Which strategies, and their numbers. Defaults to the defaults.
    ///   - redirects: Which redirects are followed; `nil` hands them to the caller. Defaults to the default
    ///     policy.
    ///   - bodyTimeout: How long a body's reader waits; `nil` means without limit. Defaults to 20 s for a
    ///     byte (AWS's stalled stream protection), 240 bytes in a second (Kestrel), and no total.
    ///   - runtime: The clock and chance of its calls. Defaults to the live runtime.
    ///   - events: Receives what happens to its calls. Defaults to nothing, which costs nothing.
    ///   - redaction: Decides what events show of its calls. `nil`, the default, is
    ///     ``Redaction/standard``.
    ///   - interceptors: Yours: each with a ``Interceptor/placement`` goes where that is, and those without
    ///     go inside all but what seals a request.
    /// - Throws: A ``PipelineError`` that names the settings or interceptors and the rule.
    public static func standard(
        transport: some Transport<HTTP.Request>,
        _ settings: StandardSettings<HTTP.Request> = StandardSettings(),
        redirects: RedirectPolicy? = RedirectPolicy(),
        bodyTimeout: BodyTimeoutInterceptor? = BodyTimeoutInterceptor(),
        runtime: Runtime = .live,
        events: (any EventSink)? = nil,
        redaction: Redaction? = nil,
        @InterceptorBuilder<HTTP.Request> adding interceptors: () -> [any Interceptor<
            HTTP.Request
        >] = {
            []
        }
    ) throws(PipelineError) -> HTTP.Client {
        let own = interceptors()
        return HTTP.Client(
            pipeline: try .standard(
                transport: transport,
                settings,
                runtime: runtime,
                events: events
            ) {
                if let redirects {
                    RedirectInterceptor(policy: redirects)
                }
                if let bodyTimeout {
                    bodyTimeout
                }
                own
            },
            timeout: nil,
            runtime: runtime,
            redaction: redaction
        )
    }
}
