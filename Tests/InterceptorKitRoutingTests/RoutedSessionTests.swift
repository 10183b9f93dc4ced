import Expectations
import Foundation
import InterceptorKit
import InterceptorKitTesting
import InterceptorKitTransport
import TestRun
import Testing

@testable import InterceptorKitRouting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(
    "A session routed through a client",
    .tags(.sockets),
    .serializedAcrossSuites,
    .timeLimit(.minutes(10))
)
struct RoutedSessionTests {
    private let echo = ScriptedTransport<HTTP.Request> { request, _ in
        let body = try await request.body.collect()
        return HTTP.Response(200, headers: ["X-Method": "\(request.method)"], body: .bytes(body))
    }
    private let url: HTTP.URL = "http://api.example.com/orders?page=2"

    @Test("passes every interceptor in the order written, and back")
    func order() async throws {
        let client = try HTTP.Client(transport: echo, timeout: nil) {
            Mark(name: "a")
            Mark(name: "b")
            Mark(name: "c")
        }

        let (data, response) = try await routedSession(through: client)
            .data(for: urlRequest(url, "POST", body: "order"))

        let head = try unwrap(response as? HTTPURLResponse)
        expectEqual(String(decoding: data, as: UTF8.self), "order")
        expectEqual(head.statusCode, 200)
        expectEqual(head.value(forHTTPHeaderField: "X-Up"), "c, b, a")
        expectEqual(echo.sent.map(\.input.headers).first?.values("X-Down"), ["a", "b", "c"])
        expectEqual(echo.sent.map(\.input.url.text), [url.text])
    }

    @Test("sends requests over its own transport without routing them again")
    func network() async throws {
        let server = try LoopbackServer { .text("\($0.method) \($0.text)") }
        let client = try HTTP.Client(transport: URLSessionTransport()) { Mark(name: "a") }

        let answer = await routedSession(through: client)
            .answer(to: urlRequest(server.url("/x"), "PUT", body: "one"))

        expectEqual(String(decoding: try answer.get().0, as: UTF8.self), "PUT one")
        expectEqual(server.requests.map { $0.headers["X-Down"] }, ["a"])
    }

    @Test("sends a body stream in full, and refuses one that is used up")
    func streams() async throws {
        let client = try HTTP.Client(transport: echo, timeout: nil) {}
        let session = routedSession(through: client)
        let content = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0) })
        var request = urlRequest(url, "POST")
        request.httpBodyStream = InputStream(data: content)

        let first = await session.answer(to: request)
        let second = await session.answer(to: request)

        try expectEqual(first.get().0, content)
        guard case .failure(let error) = second else {
            Issue.record("the used-up stream was sent as an empty body")
            return
        }
        let cause = error.userInfo[NSUnderlyingErrorKey] as? TransportError
        expectEqual(cause?.isUnsent, true)
    }

    @Test("sends nothing for a body stream that cannot be read")
    func unreadableStream() async throws {
        var request = urlRequest(url, "POST")
        request.httpBodyStream = InputStream(fileAtPath: "/nowhere/at/all")

        let answer = await routedSession(through: try HTTP.Client(transport: echo, timeout: nil) {})
            .answer(to: request)

        #expect(throws: URLError.self) { try answer.get() }
    }

    @Test("delivers redirects and challenges as the chain lets them through")
    func policies() async throws {
        let server = try LoopbackServer { request in
            request.path == "/moved"
                ? .redirect(to: "/elsewhere")
                : .status(
                    401,
                    headers: ["WWW-Authenticate": "Bearer, Basic realm=\"x\""],
                    body: "no"
                )
        }
        let client = try HTTP.Client(transport: URLSessionTransport()) {}

        for delegate in [nil, DelegateLog()] as [(any URLSessionDelegate)?] {
            let session = routedSession(through: client, delegate: delegate)
            let moved = try await session.answer(to: urlRequest(server.url("/moved"))).get().1
            let refused = try await session.answer(to: urlRequest(server.url("/basic"))).get()

            expectEqual(moved.statusCode, 302)
            expectEqual(moved.value(forHTTPHeaderField: "Location"), "/elsewhere")
            expectEqual(refused.1.statusCode, 401)
            let challenge = refused.1.value(forHTTPHeaderField: "WWW-Authenticate")
            expectEqual(challenge, ", Bearer, Basic realm=\"x\"")
            expectEqual(String(decoding: refused.0, as: UTF8.self), "no")
        }
    }

    @Test("fails with a URLError whose underlying error is the original")
    func failures() async throws {
        let client = try HTTP.Client(
            transport: ScriptedTransport<HTTP.Request> { _, _ in
                throw TransportError(.cannotConnect, "No connection.")
            },
            timeout: nil
        ) {}
        let secret: HTTP.URL = "http://api.example.com/?token=s3cret"

        let answer = await routedSession(through: client).answer(to: urlRequest(secret))

        guard case .failure(let error) = answer else {
            Issue.record("it was answered")
            return
        }
        expectEqual(error.code, .cannotConnectToHost)
        expectEqual((error.userInfo[NSUnderlyingErrorKey] as? TransportError)?.code, .cannotConnect)
        expectTrue(!"\(error) \(error.userInfo) \(error.localizedDescription)".contains("s3cret"))
    }
}

/// A transport made of URLSession's own calls, as people write one.
struct PlainSession: Transport {
    let session: URLSession?
    var place: @Sendable () -> URLSession? = { nil }

    func send(_ input: HTTP.Request, call: Call) async throws -> HTTP.Response {
        guard let session = session ?? place() else { throw CancellationError() }
        let (data, response) = try await session.data(for: URLRequest(input))
        guard let head = response as? HTTPURLResponse else { throw CancellationError() }
        return HTTP.Response(head, body: .bytes(data), request: input)
    }
}
