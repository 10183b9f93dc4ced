// What the landing page of InterceptorKitRouting shows.
import Foundation
import InterceptorKit
import InterceptorKitRouting
import InterceptorKitTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

func routedSession(_ tokens: some CredentialSource) throws -> URLSession {
    // snippet.session
    let client = try HTTP.Client(transport: URLSessionTransport()) {
        RetryInterceptor(policy: .standard)
        TokenInterceptor(source: tokens, origins: ["https://api.example.com"])
    }
    let session = URLSession(configuration: .default.routed(through: client))
    // snippet.end
    return session
}

func oldCode(_ session: URLSession, _ url: URL) async throws -> Data {
    // snippet.unchanged
    let (data, response) = try await session.data(from: url)
    // snippet.end
    _ = response
    return data
}

func configured(_ client: HTTP.Client) -> URLSession {
    // snippet.configuration
    let configuration = URLSessionConfiguration.default
    configuration.timeoutIntervalForRequest = 15
    configuration.httpAdditionalHeaders = ["X-App": "7"]
    return URLSession(configuration: configuration.routed(through: client))
    // snippet.end
}

func cause(of error: URLError) -> TransportError? {
    // snippet.cause
    let cause = error.userInfo[NSUnderlyingErrorKey] as? TransportError
    // snippet.end
    return cause
}

func routed(_ client: HTTP.Client, _ url: URL) async throws -> (Data, URLResponse) {
    // snippet.routed
    let session = URLSession(configuration: .default.routed(through: client))
    let (data, response) = try await session.data(from: url)
    // snippet.end
    return (data, response)
}
