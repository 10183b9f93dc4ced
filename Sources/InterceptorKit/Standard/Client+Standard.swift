extension HTTP.Client {
    /// Creates a client with the standard chain and your own interceptors, in any order.
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
    /// It has the chain of ``Pipeline/standard(_:transport:runtime:events:adding:)``, follows redirects and ends bodies
    /// that stall. The timeout of a call is the settings' `totalTimeout`, or its own ``Call/totalTimeout``.
    /// - Parameters:
    ///   - settings: The strategies and their numbers. Defaults to the standard settings.
    ///   - transport: The transport that sends the requests.
    ///   - redirects: The rules for redirects; `nil` returns them to the caller. Defaults to the default policy.
    ///   - bodyTimeout: The limits for reading a body; `nil` means no limit. Defaults to 60 s for a byte, as in
    ///     URLSession and in the proxies nginx and AWS's load balancer, with no minimum rate and no total limit: a slow
    ///     or pausing body is no failure.
    ///   - runtime: The clock and random source of the calls. Defaults to the live runtime.
    ///   - events: The sink for the events of the calls. Defaults to none, which costs nothing.
    ///   - redaction: Decides which data of the calls events show. `nil`, the default, is ``Redaction/standard``.
    ///   - envelope: Describes where a response body of the service says whether the call worked, and the meanings of
    ///     its codes for the filter, the retry, the token and the breaker. Defaults to none.
    ///   - interceptors: Your own interceptors. One with a ``Interceptor/placement`` goes to its stage; one without
    ///     goes above the first stage that freezes the request.
    /// - Throws: A ``PipelineError`` that names the settings or interceptors and the rule; the error of the closure.
    public static func standard(
        _ settings: StandardSettings<HTTP.Request> = StandardSettings(),
        transport: some Transport<HTTP.Request>,
        redirects: RedirectPolicy? = RedirectPolicy(),
        bodyTimeout: BodyTimeoutInterceptor? = BodyTimeoutInterceptor(
            idle: .seconds(60),
            minimumRate: nil
        ),
        runtime: Runtime = .live,
        events: (any EventSink)? = nil,
        redaction: Redaction? = nil,
        envelope: HTTP.ResponseEnvelope? = nil,
        @InterceptorBuilder<HTTP.Request> adding interceptors: () throws -> [any Interceptor<
            HTTP.Request
        >] = {
            []
        }
    ) throws -> HTTP.Client {
        try standard(
            interceptors(),
            transport,
            settings,
            redirects: redirects,
            bodyTimeout: bodyTimeout,
            runtime: runtime,
            events: events,
            redaction: redaction,
            envelope: envelope
        )
    }

    /// Takes a list in place of a builder, so it throws pipeline errors only.
    static func standard(
        _ interceptors: [any Interceptor<HTTP.Request>],
        _ transport: some Transport<HTTP.Request>,
        _ settings: StandardSettings<HTTP.Request>,
        redirects: RedirectPolicy? = RedirectPolicy(),
        bodyTimeout: BodyTimeoutInterceptor? = BodyTimeoutInterceptor(
            idle: .seconds(60),
            minimumRate: nil
        ),
        runtime: Runtime,
        events: (any EventSink)?,
        redaction: Redaction?,
        envelope: HTTP.ResponseEnvelope?
    ) throws(PipelineError) -> HTTP.Client {
        var settings = settings
        if let envelope { settings.health = settings.health.reading(envelope) }
        var own: [any Interceptor<HTTP.Request>] = []
        if let redirects { own.append(RedirectInterceptor(policy: redirects)) }
        if let bodyTimeout { own.append(bodyTimeout) }
        return HTTP.Client(
            pipeline: try .standard(own + interceptors, transport, settings, runtime, events),
            timeout: nil,
            runtime: runtime,
            redaction: redaction,
            envelope: envelope,
            classifier: settings.classifier.isInherited ? nil : settings.classifier
        )
    }
}
