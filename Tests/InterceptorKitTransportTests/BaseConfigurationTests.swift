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

@Suite(
    "URLSessionTransport with a configuration",
    .tags(.sockets),
    .serializedAcrossSuites,
    .timeLimit(.minutes(10))
)
struct BaseConfigurationTests {
    @Test("sends the additional headers that a request lacks, before its own")
    func additionalHeaders() async throws {
        let server = try LoopbackServer { _ in .status(200) }
        let configuration = URLSessionConfiguration.default
        configuration.httpAdditionalHeaders = ["User-Agent": "App/1", "X-App": "7", "x-both": "a"]
        let transport = try URLSessionTransport(configuration: configuration)
        configuration.httpAdditionalHeaders = nil

        let request = HTTP.Request.get(server.url("/"), headers: ["X-Both": "b"])
        let response = try await transport.send(request, call: Call())

        let arrived = try unwrap(server.requests.first).headers
        expectEqual(arrived["User-Agent"], "App/1")
        expectEqual(arrived["X-App"], "7")
        expectEqual(arrived.values("X-Both"), ["b"])
        expectEqual(response.request?.headers["X-App"], "7")
    }

    @Test("sends through the protocol classes")
    func protocolClasses() async throws {
        let configuration = URLSessionConfiguration.default
        configuration.protocolClasses = [Echo.self]
        let transport = try URLSessionTransport(configuration: configuration)

        for _ in 0..<20 {
            let response = try await transport.send(.get("https://a.example/path"), call: Call())

            expectEqual(response.status, 203)
            try await expectEqual(response.text(), "/path")
        }
    }

    @Test("takes the time of silence and the connections for its settings")
    func settings() throws {
        let configuration = URLSessionConfiguration.default
        configuration.timeoutIntervalForRequest = 15
        configuration.httpMaximumConnectionsPerHost = 2
        var seen = URLSessionTransport.Settings()

        _ = try URLSessionTransport(configuration: configuration) { settings in
            seen = settings
        }

        expectEqual(seen.idleTimeout, .seconds(15))
        expectEqual(seen.maximumConnectionsPerHost, 2)
        for timeout in [TimeInterval.infinity, 1e300, 0.1] {
            configuration.timeoutIntervalForRequest = timeout
            _ = try URLSessionTransport(configuration: configuration)
        }
    }

    @Test("ends a response that isn't whole after the time for a resource")
    func resourceTimeout() async throws {
        let server = try LoopbackServer { _ in .text("0123456789").stalledInBody(after: 4) }
        let configuration = URLSessionConfiguration.default
        configuration.timeoutIntervalForResource = 0.2
        let transport = try URLSessionTransport(configuration: configuration)
        let start = ContinuousClock.now

        let error = await #expect(throws: TransportError.self) {
            try await transport.send(.get(server.url("/")), call: Call()).body.collect()
        }

        expectEqual(error?.code, .timedOut)
        expectTrue(ContinuousClock.now - start < .seconds(50))
        try await server.waitForOpenConnections(0)
    }

    @Test("is refused by the name of what cannot be honoured", arguments: refused.indices)
    func refuses(index: Int) {
        let (name, change) = BaseConfigurationTests.refused[index]
        let configuration = URLSessionConfiguration.default
        change(configuration)

        let error = #expect(throws: SettingError.self) {
            try URLSessionTransport(configuration: configuration)
        }

        expectEqual(error?.description.contains(name), true, "\(String(describing: error))")
        expectEqual(error?.description.contains("s3cr3t"), false)
    }

    private typealias Change = @Sendable (URLSessionConfiguration) -> Void

    private static let refused: [(String, Change)] =
        refusedEverywhere + refusedOnLinux

    private static let refusedEverywhere: [(String, Change)] = [
        ("timeoutIntervalForRequest", { $0.timeoutIntervalForRequest = .nan }),
        ("timeoutIntervalForResource", { $0.timeoutIntervalForResource = 0 }),
        ("requestCachePolicy", { $0.requestCachePolicy = .returnCacheDataDontLoad }),
        ("httpAdditionalHeaders", { $0.httpAdditionalHeaders = ["X-Number": 7] }),
        ("httpAdditionalHeaders", { $0.httpAdditionalHeaders = ["X-A": "s3cr3t\r\nX-B: 1"] }),
        ("maximumConnectionsPerHost", { $0.httpMaximumConnectionsPerHost = 0 }),
    ]

    #if canImport(FoundationNetworking)
    private static let refusedOnLinux: [(String, Change)] = [
        ("identifier", { $0.identifier = "background" }),
        ("connectionProxyDictionary", { $0.connectionProxyDictionary = ["HTTPSProxy": "s3cr3t"] }),
    ]
    #else
    private static let refusedOnLinux: [(String, Change)] = []
    #endif
}

/// Answers each request with its path, in two pieces.
private final class Echo: URLProtocol {
    override static func canInit(with request: URLRequest) -> Bool { true }

    override static func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        guard let url = request.url,
            let response = HTTPURLResponse(
                url: url,
                statusCode: 203,
                httpVersion: nil,
                headerFields: nil
            )
        else { return }
        client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
        client?.urlProtocol(self, didLoad: Data(url.path.prefix(1).utf8))
        client?.urlProtocol(self, didLoad: Data(url.path.dropFirst().utf8))
        client?.urlProtocolDidFinishLoading(self)
    }

    override func stopLoading() {}
}
