import AsyncHTTPClient
public import Loading
import NIOCore

extension Fetcher {
    /// AsyncHTTPClient without anything of ours: `execute` and the whole of each body.
    public static func asyncHTTPClient(connections: Int) -> Fetcher {
        var configuration = HTTPClient.Configuration()
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = connections
        let client = HTTPClient(configuration: configuration)
        return Fetcher(
            "AsyncHTTPClient",
            prepare: { url in
                let request = HTTPClientRequest(url: url)
                return {
                    let response = try await client.execute(request, timeout: .seconds(30))
                    guard response.status == .ok else {
                        throw UnexpectedAnswer("\(url) was answered with \(response.status).")
                    }
                    return try await response.body.collect(upTo: 16 << 20).readableBytes
                }
            },
            close: { client.shutdown { _ in } }
        )
    }
}
