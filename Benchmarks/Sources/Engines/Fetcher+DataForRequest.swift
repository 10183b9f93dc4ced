import Foundation
public import Loading

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension Fetcher {
    /// `URLSession.data(for:)` with the default configuration, but for the connections.
    public static func dataForRequest(connections: Int) -> Fetcher {
        dataForRequest("data(for:)", connections: connections) { _ in }
    }

    /// `URLSession.data(for:)` without the cache, cookies and credentials that take time of every
    /// request.
    public static func tunedDataForRequest(connections: Int) -> Fetcher {
        dataForRequest("data(for:), tuned", connections: connections) { configuration in
            configuration.urlCache = nil
            configuration.httpCookieStorage = nil
            configuration.urlCredentialStorage = nil
        }
    }

    private static func dataForRequest(
        _ name: String,
        connections: Int,
        _ configure: (URLSessionConfiguration) -> Void
    ) -> Fetcher {
        let configuration = URLSessionConfiguration.default
        configuration.httpMaximumConnectionsPerHost = connections
        configure(configuration)
        let session = URLSession(configuration: configuration)
        return Fetcher(
            name,
            prepare: { text in
                guard let url = URL(string: text) else { throw URLError(.badURL) }
                let request = URLRequest(url: url)
                // Never cancelled: on Linux that stops all networking of the process.
                return {
                    let (data, response) = try await session.data(for: request)
                    guard (response as? HTTPURLResponse)?.statusCode == 200 else {
                        throw UnexpectedAnswer("\(text) was not answered with 200.")
                    }
                    return data.count
                }
            },
            close: { session.finishTasksAndInvalidate() }
        )
    }
}
