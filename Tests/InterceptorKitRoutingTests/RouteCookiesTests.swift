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

@Suite("RouteCookies", .tags(.sockets), .serializedAcrossSuites, .timeLimit(.minutes(10)))
struct RouteCookiesTests {
    private let url: HTTP.URL = "http://api.example.com/"

    @Test("send and keep the configuration's cookies, and none without a store")
    func cookies() async throws {
        let transport = ScriptedTransport<HTTP.Request> { request, _ in
            HTTP.Response(
                headers: [
                    "Set-Cookie": "a=1; Expires=Wed, 21 Oct 2099 07:28:00 GMT", "Set-Cookie": "b=2",
                    "X-Seen": request.headers["Cookie"] ?? "none",
                ]
            )
        }
        let client = try HTTP.Client(transport: transport, timeout: nil) {}
        let kept = routedSession(through: client)
        let storeless = routedSession(through: client) { $0.httpCookieStorage = nil }

        var seen: [String?] = []
        for (session, request) in [
            (kept, urlRequest(url)), (kept, urlRequest(url)), (storeless, urlRequest(url)),
            (storeless, urlRequest(url)),
        ] {
            let (_, response) = try await session.answer(to: request).get()
            seen.append(response.value(forHTTPHeaderField: "X-Seen"))
        }

        expectEqual(seen[0], "none")
        expectEqual(seen[1]?.split(separator: "; ").sorted(), ["a=1", "b=2"])
        expectEqual(seen[2...], ["none", "none"])
    }

    @Test("are neither sent nor kept where configuration or request says so")
    func switchedOff() throws {
        let configuration = URLSessionConfiguration.ephemeral
        let place = try unwrap(URL(string: url.text))
        let headers: HTTP.Headers = ["Set-Cookie": "a=1"]
        var unhandled = urlRequest(url)
        unhandled.httpShouldHandleCookies = false

        let kept = try unwrap(RouteCookies(configuration))
        kept.keep(headers, from: place, for: unhandled)
        let none = kept.field(for: urlRequest(url))
        kept.keep(headers, from: place, for: urlRequest(url))
        configuration.httpShouldSetCookies = false
        configuration.httpCookieAcceptPolicy = .never
        let off = try unwrap(RouteCookies(configuration))
        off.keep(["Set-Cookie": "b=2"], from: place, for: urlRequest(url))

        expectEqual(none, nil)
        expectEqual(kept.field(for: urlRequest(url)), "a=1")
        expectEqual(kept.field(for: unhandled), nil)
        expectEqual(off.field(for: urlRequest(url)), nil)
    }
}
