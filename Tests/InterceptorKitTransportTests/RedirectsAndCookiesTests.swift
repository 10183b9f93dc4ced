import Expectations
import Foundation
import InterceptorKit
import InterceptorKitTesting
import InterceptorKitTransport
import TestRun
import Testing

/// The two interceptors over real sockets, where URLSession would have ways of its own.
@Suite(
    "Redirects and cookies over URLSession",
    .tags(.sockets),
    .serializedAcrossSuites,
    .timeLimit(.minutes(10))
)
struct RedirectsAndCookiesTests {
    @Test("follow a redirect whose body is longer than what is read of it")
    func redirectBody() async throws {
        let server = try LoopbackServer { request in
            guard request.path == "/1" else { return .text("second") }
            let body = Data(repeating: 0x61, count: 1 << 20)
            return .status(302, headers: ["Location": "/2"], body: body)
        }
        defer { server.stop() }
        let pipeline = try Pipeline(transport: URLSessionTransport()) { RedirectInterceptor() }

        let response = try await pipeline.run(.get(server.url("/1")))

        try await expectEqual(response.text(), "second")
        expectEqual(response.request?.url, server.url("/2"))
        expectEqual(response.redirects.map(\.target), [server.url("/2")])
    }

    @Test("do not send credentials and cookies of one origin to another")
    func otherOrigin() async throws {
        let other = try LoopbackServer { _ in .text("there") }
        defer { other.stop() }
        let target = "http://localhost:\(other.port)/2"
        let home = try LoopbackServer { _ in .redirect(to: target) }
        defer { home.stop() }
        let pipeline = try Pipeline(transport: URLSessionTransport()) {
            RedirectInterceptor()
            TokenInterceptor(source: FixedCredentialSource(.bearer("t")), origins: [home.origin])
        }

        let response = try await pipeline.run(
            .get(home.url("/1"), headers: ["X-Api-Key": "k", "Cookie": "a=1", "DPoP": "d"])
        )

        try await expectEqual(response.text(), "there")
        let names = ["Authorization", "X-Api-Key", "Cookie", "DPoP"]
        expectTrue(names.allSatisfy { home.requests.first?.headers.contains($0) == true })
        expectTrue(!names.contains { other.requests.first?.headers.contains($0) == true })
    }

    @Test("keep each of several cookies and the request's own Cookie field")
    func cookies() async throws {
        let server = try LoopbackServer { request in
            let fields = ["a=1; Expires=Fri, 31 Dec 2100 23:59:59 GMT", "b=2; HttpOnly", "c=3"]
            let set = HTTP.Headers(fields.map { ("Set-Cookie", $0) })
            return .status(200, headers: request.number == 1 ? set : [:])
        }
        defer { server.stop() }
        let pipeline = try Pipeline(transport: URLSessionTransport()) { CookieInterceptor() }

        _ = try await pipeline.run(.get(server.url("/"))).text()
        _ = try await pipeline.run(.get(server.url("/"), headers: ["Cookie": "b=mine"])).text()

        expectEqual(server.requests.map { $0.headers["Cookie"] }, [nil, "b=mine; a=1; c=3"])
    }
}
