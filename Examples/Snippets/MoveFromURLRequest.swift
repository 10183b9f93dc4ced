// What the landing page of InterceptorKitTransport shows.
import Foundation
import InterceptorKit
import InterceptorKitTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct LegacyHeaders: Interceptor {
    func intercept(chain: InterceptorChain<URLRequest>) async throws -> URLDataResponse {
        try await chain.proceed { $0.setValue("1", forHTTPHeaderField: "X-Legacy") }
    }
}

func move(_ url: URL, _ transport: URLSessionTransport) async throws {
    // snippet.pipeline
    let pipeline = try Pipeline(transport: URLRequestTransport(transport)) {
        LegacyHeaders()
    }
    let answer = try await pipeline.run(URLRequest(url: url))
    print(answer.response.statusCode, answer.data.count)
    // snippet.end
}

func moveAtOnce(_ url: URL) async throws -> URLDataResponse {
    // snippet.direct
    let pipeline = try Pipeline(transport: URLRequestTransport(URLSessionTransport())) {
        LegacyHeaders()  // an Interceptor whose Input is URLRequest
    }
    let answer = try await pipeline.run(URLRequest(url: url))
    // snippet.end
    return answer
}

func pinned(keyInUse: String, nextKey: String) throws -> URLSessionTransport.Settings {
    // snippet.trust
    var settings = URLSessionTransport.Settings()
    settings.trust = try TrustPolicy(pins: ["api.example.com": [keyInUse, nextKey]])
    // snippet.end
    return settings
}
