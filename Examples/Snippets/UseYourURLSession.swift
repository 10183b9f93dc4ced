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
    return try HTTP.Client(transport: transport)
}

func transport(of configuration: URLSessionConfiguration) throws -> URLSessionTransport {
    // snippet.settings
    let transport = try URLSessionTransport(configuration: configuration) { settings in
        settings.bytesInMemory = 64 << 10
    }
    // snippet.end
    return transport
}
