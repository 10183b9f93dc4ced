import Expectations
import Foundation
import InterceptorKit
import InterceptorKitTesting
import TestRun
import Testing

@testable import InterceptorKitRouting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("RouteSettings", .tags(.sockets), .serializedAcrossSuites, .timeLimit(.minutes(10)))
struct RouteSettingsTests {
    private let url: HTTP.URL = "http://api.example.com/"

    @Test("adds the configuration's header fields that the request lacks")
    func fields() throws {
        let settings = settings { $0.httpAdditionalHeaders = ["X-App": "7", "Accept": "a/b"] }
        var request = urlRequest(url)
        request.setValue("c/d", forHTTPHeaderField: "accept")

        let headers = try settings.request(request, body: nil).headers

        expectEqual(headers["X-App"], "7")
        expectEqual(headers.values("Accept"), ["c/d"])
    }

    @Test(
        "expresses a cache policy as Cache-Control directives",
        arguments: [
            (URLRequest.CachePolicy.useProtocolCachePolicy, nil),
            (.reloadIgnoringLocalCacheData, "no-cache"),
            (.reloadIgnoringLocalAndRemoteCacheData, "no-cache"),
            (.reloadRevalidatingCacheData, "no-cache"),
            (.returnCacheDataElseLoad, "max-stale"),
            (.returnCacheDataDontLoad, "only-if-cached, max-stale"),
        ] as [(URLRequest.CachePolicy, String?)]
    )
    func policies(policy: URLRequest.CachePolicy, expected: String?) throws {
        var request = urlRequest(url)
        request.cachePolicy = policy
        let byRequest = try settings().request(request, body: nil)
        let byConfiguration = try settings { $0.requestCachePolicy = policy }
            .request(urlRequest(url), body: nil)

        expectEqual(byRequest.headers["Cache-Control"], expected)
        expectEqual(byConfiguration.headers["Cache-Control"], expected)
    }

    @Test("sends nothing for a cache-only request when there is no cache")
    func notCached() async throws {
        let transport = ScriptedTransport<HTTP.Request> { _, _ in HTTP.Response() }
        var request = urlRequest(url)
        request.cachePolicy = .returnCacheDataDontLoad

        let refused = await routedSession(
            through: try HTTP.Client(transport: transport, timeout: nil) {}
        )
        .answer(to: request)
        let sentBefore = transport.sent.count
        let asked = await routedSession(
            through: try HTTP.Client(transport: transport, timeout: nil) { EmptyCache() }
        ).answer(to: request)

        expectEqual(failure(of: refused)?.code, .resourceUnavailable)
        expectEqual(sentBefore, 0)
        try expectEqual(asked.get().1.statusCode, 504)
    }

    @Test("applies the request's timeout or the configuration's, within a range")
    func timeouts() {
        let settings = settings { $0.timeoutIntervalForRequest = 7 }
        var request = urlRequest(url)

        expectEqual(settings.idleTimeout(of: request), .seconds(7))
        for (interval, expected) in [
            (2.5, Duration.seconds(2.5)), (-1, .milliseconds(1)), (.infinity, .seconds(1e9)),
        ] {
            request.timeoutInterval = interval
            expectEqual(settings.idleTimeout(of: request), expected)
        }
    }

    private func settings(
        _ configure: (URLSessionConfiguration) -> Void = { _ in }
    ) -> RouteSettings {
        let configuration = URLSessionConfiguration.ephemeral
        configure(configuration)
        return RouteSettings(configuration, bodyLimit: 1)
    }
}

/// A cache with nothing in it.
private struct EmptyCache: Interceptor {
    var placement: Placement? { .cache }

    func intercept(chain: InterceptorChain<HTTP.Request>) async throws -> HTTP.Response {
        chain.input.headers["Cache-Control"]?.contains("only-if-cached") == true
            ? HTTP.Response(504) : try await chain.proceed()
    }
}
