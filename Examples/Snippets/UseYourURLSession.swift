// A client over a URLSession, a configuration or a function of its user's.
import Foundation
import InterceptorKit
import InterceptorKitTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

func client(of configuration: URLSessionConfiguration) throws -> HTTP.Client {
    // snippet.configuration
    let transport = try URLSessionTransport(configuration: configuration)
    // snippet.end
    return HTTP.Client(transport: transport)
}

func transport(of configuration: URLSessionConfiguration) throws -> URLSessionTransport {
    // snippet.settings
    let transport = try URLSessionTransport(configuration: configuration) { settings in
        settings.bytesInMemory = 64 << 10
    }
    // snippet.end
    return transport
}

func client(over session: URLSession) throws -> HTTP.Client {
    // snippet.session
    let client = try HTTP.Client(transport: DataTaskTransport(session)) {
        RetryInterceptor(policy: .standard)
    }
    // snippet.end
    return client
}

func client(
    fetching fetch: @escaping @Sendable (URLRequest) async throws -> (Data, URLResponse)
) -> HTTP.Client {
    // snippet.function
    let client = HTTP.Client(transport: DataTaskTransport { try await fetch($0) })
    // snippet.end
    return client
}

func converted(_ request: HTTP.Request) async throws -> URLRequest {
    // snippet.conversion
    let urlRequest = try await URLRequest(request, collectingUpTo: 16 << 20)
    // snippet.end
    return urlRequest
}
