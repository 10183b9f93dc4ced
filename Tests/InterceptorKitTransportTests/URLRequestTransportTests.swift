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

@Suite("URLRequestTransport", .tags(.sockets), .serializedAcrossSuites, .timeLimit(.minutes(1)))
struct URLRequestTransportTests {
    @Test("runs a chain of URLRequest interceptors over URLSession")
    func runs() async throws {
        let server = try LoopbackServer { _ in .text("hello", status: 201) }
        let pipeline = try Pipeline(transport: URLRequestTransport(URLSessionTransport())) {
            Stamp()
        }
        let url = try #require(URL(string: server.url("/x").text))
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.httpBodyStream = InputStream(data: Data("body".utf8))

        let answer = try await pipeline.run(request)

        #expect(answer.data == Data("hello".utf8))
        #expect(answer.response.statusCode == 201)
        #expect(answer.response.url == url)
        let arrived = try #require(server.requests.first)
        #expect(arrived.headers["X-Stamp"] == "1")
        #expect(arrived.text == "body")
    }

    @Test("keeps the request's own timeout, rounded up", arguments: [0.2, 0.9])
    func timeout(seconds: TimeInterval) async throws {
        let server = try LoopbackServer { _ in .stalled }
        var request = URLRequest(url: try #require(URL(string: server.url("/").text)))
        request.timeoutInterval = seconds
        let start = ContinuousClock.now

        let error = await #expect(throws: TransportError.self) {
            try await URLRequestTransport(URLSessionTransport()).send(request, call: Call())
        }
        let elapsed = ContinuousClock.now - start

        #expect(error?.code == .timedOut)
        #expect(elapsed >= .milliseconds(900))
        #expect(elapsed < .seconds(60))
    }

    @Test("accepts any timeout", arguments: [TimeInterval.infinity, .nan, -1, 1e300])
    func anyTimeout(seconds: TimeInterval) async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        var request = URLRequest(url: try #require(URL(string: server.url("/").text)))
        request.timeoutInterval = seconds

        let answer = try await URLRequestTransport(URLSessionTransport()).send(
            request,
            call: Call()
        )

        #expect(answer.data == Data("hello".utf8))
    }
}
