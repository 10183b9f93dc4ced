import Foundation
import InterceptorKit
import InterceptorKitCaching
import InterceptorKitTesting
import TestRun
import Testing

@testable import InterceptorKitTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("RouteSettings", .tags(.sockets), .serializedAcrossSuites, .timeLimit(.minutes(1)))
struct RouteSettingsTests {
    private let url: HTTP.URL = "http://api.example.com/"

    @Test("adds the configuration's header fields that the request lacks")
    func fields() throws {
        let settings = settings { $0.httpAdditionalHeaders = ["X-App": "7", "Accept": "a/b"] }
        var request = urlRequest(url)
        request.setValue("c/d", forHTTPHeaderField: "accept")

        let headers = try settings.request(request, body: nil).headers

        #expect(headers["X-App"] == "7")
        #expect(headers.values("Accept") == ["c/d"])
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

        #expect(byRequest.headers["Cache-Control"] == expected)
        #expect(byConfiguration.headers["Cache-Control"] == expected)
    }

    @Test("sends nothing for a cache-only request when there is no cache")
    func notCached() async throws {
        let transport = ScriptedTransport<HTTP.Request> { _, _ in HTTP.Response() }
        var request = urlRequest(url)
        request.cachePolicy = .returnCacheDataDontLoad

        let refused = await routedSession(through: try HTTP.Client(transport: transport) {})
            .answer(to: request)
        let sentBefore = transport.sent.count
        let asked = await routedSession(
            through: try HTTP.Client(transport: transport) { EmptyCache() }
        ).answer(to: request)

        #expect(failure(of: refused)?.code == .resourceUnavailable)
        #expect(sentBefore == 0)
        #expect(try asked.get().1.statusCode == 504)
    }

    @Test("sends and keeps the configuration's cookies, and none without a store")
    func cookies() async throws {
        let transport = ScriptedTransport<HTTP.Request> { request, _ in
            HTTP.Response(
                headers: [
                    "Set-Cookie": "a=1; Expires=Wed, 21 Oct 2099 07:28:00 GMT", "Set-Cookie": "b=2",
                    "X-Seen": request.headers["Cookie"] ?? "none",
                ]
            )
        }
        let client = try HTTP.Client(transport: transport) {}
        let kept = routedSession(through: client)
        let storeless = routedSession(through: client) { $0.httpCookieStorage = nil }
        var own = urlRequest(url)
        own.httpShouldHandleCookies = false

        var seen: [String?] = []
        for (session, request) in [
            (kept, urlRequest(url)), (kept, urlRequest(url)), (storeless, urlRequest(url)),
            (storeless, urlRequest(url)),
        ] {
            let (_, response) = try await session.answer(to: request).get()
            seen.append(response.value(forHTTPHeaderField: "X-Seen"))
        }

        #expect(seen[0] == "none")
        #expect(seen[1]?.split(separator: "; ").sorted() == ["a=1", "b=2"])
        #expect(seen[2...] == ["none", "none"])
    }

    @Test("applies the request's timeout or the configuration's, within a range")
    func timeouts() {
        let settings = settings { $0.timeoutIntervalForRequest = 7 }
        var request = urlRequest(url)

        #expect(settings.idleTimeout(of: request) == .seconds(7))
        for (interval, expected) in [
            (2.5, Duration.seconds(2.5)), (-1, .milliseconds(1)), (.infinity, .seconds(1e9)),
        ] {
            request.timeoutInterval = interval
            #expect(settings.idleTimeout(of: request) == expected)
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
