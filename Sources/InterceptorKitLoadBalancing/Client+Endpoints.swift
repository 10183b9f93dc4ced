public import InterceptorKit

extension HTTP.Client {
    /// Creates a client with the standard chain over several endpoints of one service.
    ///
    /// ```swift
    /// let api = try HTTP.Client.standard(
    ///     endpoints: ["https://a.example.com/v1", "https://b.example.com/v1"],
    ///     transport: CurlTransport()
    /// )
    /// let order = try await api.send(.get("/orders/7"))
    /// ```
    ///
    /// The standard client with a ``LoadBalancingInterceptor``. Requests have relative URLs, and each attempt goes to
    /// another endpoint.
    /// - Parameters:
    ///   - settings: The strategies and their numbers. Defaults to the standard settings.
    ///   - endpoints: The endpoints, which do not change. For changing ones, add a ``LoadBalancingInterceptor`` to the
    ///     standard client.
    ///   - policy: The policy that chooses an endpoint. Defaults to ``LeastLatencyPolicy``.
    ///   - transport: The transport that sends the requests.
    ///   - runtime: The clock and random source of the calls. Defaults to the live runtime.
    ///   - events: The sink for the events of the calls. Defaults to none, which costs nothing.
    ///   - interceptors: Additional interceptors. One with a placement goes to its stage.
    /// - Throws: A `PipelineError` that names the settings or interceptors and the rule, or the closure's error.
    public static func standard(
        _ settings: StandardSettings<HTTP.Request> = StandardSettings(),
        endpoints: [ServiceEndpoint],
        policy: some LoadBalancingPolicy = LeastLatencyPolicy(),
        transport: some Transport<HTTP.Request>,
        runtime: Runtime = .live,
        events: (any EventSink)? = nil,
        @InterceptorBuilder<HTTP.Request> adding interceptors: () throws -> [any Interceptor<
            HTTP.Request
        >] = { [] }
    ) throws -> HTTP.Client {
        let own = try interceptors()
        return try .standard(
            settings,
            transport: transport,
            runtime: runtime,
            events: events
        ) {
            LoadBalancingInterceptor(LoadBalancer(endpoints, policy: policy))
            own
        }
    }
}
