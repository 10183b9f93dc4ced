// Only with the trait, so that the other programs build without SwiftNIO.
#if AsyncHTTPClient
import AsyncHTTPClient
import InterceptorKitAsyncHTTPClient

extension Engine {
    /// `AsyncHTTPClientTransport` with its default configuration but for the connections.
    public static let asyncHTTPClient = Engine(
        "ahc",
        transport: "AsyncHTTPClientTransport"
    ) { connections in
        var configuration = AsyncHTTPClientTransport.defaultConfiguration
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = connections
        let transport = AsyncHTTPClientTransport(configuration: configuration)
        return Opened(transport, close: { transport.close() })
    }
}
#endif
