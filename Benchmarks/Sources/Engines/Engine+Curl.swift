import InterceptorKitCurl

extension Engine {
    /// `CurlTransport` with its default settings but for the connections.
    public static let curl = Engine("curl", transport: "CurlTransport") { connections in
        var settings = CurlTransport.Settings()
        settings.maximumConnectionsPerHost = connections
        let transport = try CurlTransport(settings: settings)
        return Opened(
            transport,
            executor: transport.taskExecutor,
            close: { transport.close() }
        )
    }
}
