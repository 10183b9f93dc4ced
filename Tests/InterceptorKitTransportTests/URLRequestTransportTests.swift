import Expectations
import Foundation
import InterceptorKit
import InterceptorKitTesting
import InterceptorKitTransport
import TestRun
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

private struct Stamp: Interceptor {
    func intercept(chain: InterceptorChain<URLRequest>) async throws -> URLDataResponse {
        var request = chain.input
        request.setValue("1", forHTTPHeaderField: "X-Stamp")
        return try await chain.proceed(request)
    }
}

@Suite("URLRequestTransport", .tags(.sockets), .serializedAcrossSuites, .timeLimit(.minutes(10)))
struct URLRequestTransportTests {
    @Test("runs a chain of URLRequest interceptors over URLSession")
    func runs() async throws {
        let server = try LoopbackServer { _ in .text("hello", status: 201) }
        let pipeline = try Pipeline(transport: URLRequestTransport(URLSessionTransport())) {
            Stamp()
        }
        let url = try unwrap(URL(string: server.url("/x").text))
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.httpBodyStream = InputStream(data: Data("body".utf8))

        let answer = try await pipeline.run(request)

        expectEqual(answer.data, Data("hello".utf8))
        expectEqual(answer.response.statusCode, 201)
        expectEqual(answer.response.url, url)
        let arrived = try unwrap(server.requests.first)
        expectEqual(arrived.headers["X-Stamp"], "1")
        expectEqual(arrived.text, "body")
    }

    @Test("keeps the request's own timeout, rounded up", arguments: [0.2, 0.9])
    func timeout(seconds: TimeInterval) async throws {
        let server = try LoopbackServer { _ in .stalled }
        var request = URLRequest(url: try unwrap(URL(string: server.url("/").text)))
        request.timeoutInterval = seconds
        let start = ContinuousClock.now

        let error = await #expect(throws: TransportError.self) {
            try await URLRequestTransport(URLSessionTransport()).send(request, call: Call())
        }
        let elapsed = ContinuousClock.now - start

        expectEqual(error?.code, .timedOut)
        expectTrue(elapsed >= .milliseconds(900))
        expectTrue(elapsed < .seconds(60))
    }

    @Test("leaves a request without a timeout of its own to the transport's")
    func timeoutOfTransport() async throws {
        let server = try LoopbackServer { _ in .stalled }
        let request = URLRequest(url: try unwrap(URL(string: server.url("/").text)))
        var settings = URLSessionTransport.Settings()
        settings.idleTimeout = .seconds(1)
        let transport = try URLRequestTransport(URLSessionTransport(settings: settings))
        let start = ContinuousClock.now

        let error = await #expect(throws: TransportError.self) {
            try await transport.send(request, call: Call())
        }

        expectEqual(error?.code, .timedOut)
        expectTrue(ContinuousClock.now - start < .seconds(50))
    }

    @Test("accepts any timeout", arguments: [TimeInterval.infinity, .nan, -1, 1e300])
    func anyTimeout(seconds: TimeInterval) async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        var request = URLRequest(url: try unwrap(URL(string: server.url("/").text)))
        request.timeoutInterval = seconds

        let answer = try await URLRequestTransport(URLSessionTransport()).send(
            request,
            call: Call()
        )

        expectEqual(answer.data, Data("hello".utf8))
    }
}
