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
    /// It is the standard client with a ``LoadBalancingInterceptor``: requests have relative URLs, and each attempt goes to another endpoint.
    /// - Parameters:
    ///   - settings: The strategies and their numbers. Defaults to the standard settings.
    ///   - endpoints: The endpoints, which don't change. For others, add a ``LoadBalancingInterceptor`` to the
    ///     standard client.
    ///   - policy: How an endpoint is chosen. Defaults to the better of two by latency and requests in flight.
    ///   - transport: The transport that sends the requests.
    ///   - runtime: The clock and random source of its calls. Defaults to the live runtime.
    ///   - events: The sink for the events of its calls. Defaults to none, which costs nothing.
    ///   - interceptors: Your own. One with a placement goes to its stage.
    /// - Throws: A `PipelineError` that names the settings or interceptors and the rule; what the closure throws.
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
