import Expectations
import InterceptorKit
import InterceptorKitCurl
import InterceptorKitTesting
import TestRun
import Testing

@Suite(
    "Calls that wait for one of CurlTransport's connections",
    .tags(.sockets),
    .serializedAcrossSuites,
    .timeLimit(.minutes(10))
)
struct WaitingForConnectionTests {
    @Test("end after the time for connecting, with nothing sent")
    func end() async throws {
        var settings = CurlTransport.Settings()
        settings.maximumConnectionsPerHost = 1
        settings.connectTimeout = .milliseconds(300)
        let transport = try CurlTransport(settings: settings)
        let server = try LoopbackServer { $0.path == "/held" ? .stalled : .text("hello") }
        let held = Task { try await transport.send(.get(server.url("/held")), call: Call()) }
        try await server.waitForRequests(1)

        let error = await #expect(throws: TransportError.self) {
            try await transport.send(.post(server.url("/"), body: "x"), call: Call())
        }

        expectEqual(error?.code, .timedOut)
        expectEqual(error?.isUnsent, true)
        expectEqual(server.requests.count, 1)
        held.cancel()
    }

    // libcurl 8.14 does not say that they may where those have been under way for longer than a connection
    // may take to be made.
    @Test("go on when those that have the connections are cancelled")
    func goOn() async throws {
        var settings = CurlTransport.Settings()
        settings.maximumConnectionsPerHost = 2
        settings.connectTimeout = .seconds(3)
        let transport = try CurlTransport(settings: settings)
        let server = try LoopbackServer { $0.path == "/held" ? .stalled : .text("hello") }
        let url = server.url("/")
        // Waits for a connection too.
        func wait(_ duration: Duration) async {
            await #expect(throws: TransportError.self) {
                let call = Call().withDeadline(within: duration)
                _ = try await transport.send(.get(url), call: call)
            }
        }
        // At once: each is counted for its loop before it starts, so that neither waits for the other.
        let held = (0..<2).map { _ in
            Task { try await transport.send(.get(server.url("/held")), call: Call()) }
        }
        try await server.waitForRequests(2)
        await wait(.milliseconds(3100))
        let waiting = (0..<4).map { _ in
            Task {
                let call = Call().withDeadline(within: .seconds(10))
                return try await transport.send(.get(url), call: call).text()
            }
        }
        await wait(.milliseconds(100))

        for task in held { task.cancel() }
        var texts: [String] = []
        for task in waiting { texts.append(try await task.value) }

        expectEqual(texts, Array(repeating: "hello", count: 4))
    }
}
