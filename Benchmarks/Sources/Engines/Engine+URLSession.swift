import InterceptorKitTransport

extension Engine {
    /// `URLSessionTransport` with its default settings but for the connections.
    public static let urlSession = Engine(
        "urlsession",
        transport: "URLSessionTransport",
        isURLSession: true
    ) { connections in
        var settings = URLSessionTransport.Settings()
        settings.maximumConnectionsPerHost = connections
        let transport = try URLSessionTransport(settings: settings)
        return Opened(transport, close: { transport.close() })
    }
}
