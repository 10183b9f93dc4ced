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

struct Pins {
    func match(_ challenge: URLAuthenticationChallenge) -> Bool {
        challenge.protectionSpace.host == "api.example.com"
    }
}

func pinned(_ pins: Pins) -> URLSessionTransport.Settings {
    // snippet.trust
    var settings = URLSessionTransport.Settings()
    settings.trust = TrustPolicy { challenge in
        let isPinned = pins.match(challenge)
        return (isPinned ? .performDefaultHandling : .cancelAuthenticationChallenge, nil)
    }
    // snippet.end
    return settings
}
