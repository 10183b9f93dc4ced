import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestRun
import Testing

@testable import InterceptorKitCurl

@Suite(
    "Configuration of libcurl by settings",
    .tags(.sockets),
    .serializedAcrossSuites,
    .timeLimit(.minutes(10))
)
struct ConfigurationTests {
    private func settings(
        _ change: (inout CurlTransport.Settings) -> Void
    ) -> CurlTransport.Settings {
        var settings = CurlTransport.Settings()
        change(&settings)
        return settings
    }

    @Test("applies a raw libcurl option last")
    func options() async throws {
        // CURLOPT_USERAGENT and CURLOPT_HTTP_CONTENT_DECODING.
        let transport = try CurlTransport(
            settings: settings { $0.options = [.text(10_018, "mine/1"), .number(158, 0)] }
        )
        let server = try LoopbackServer { _ in .status(200) }

        _ = try await transport.send(.get(server.url("/")), call: Call())

        expectEqual(server.requests.first?.headers["User-Agent"], "mine/1")
    }

    @Test("resolves a host name to the address in its settings")
    func resolvedNames() async throws {
        let server = try LoopbackServer { _ in .text("here") }
        let transport = try CurlTransport(
            settings: settings {
                $0.resolvedNames = ["nowhere.example:\(server.port):127.0.0.1"]
                $0.proxy = .none
            }
        )
        let url: String = "http://nowhere.example:\(server.port)/"

        let text = try await transport.send(.get(HTTP.URL(unvalidated: url)), call: Call()).text()

        expectEqual(text, "here")
        expectEqual(server.requests.first?.headers["Host"], "nowhere.example:\(server.port)")
    }

    @Test("uses a proxy with credentials, except to excluded hosts")
    func proxy() async throws {
        let proxy = try LoopbackServer { _ in .text("by proxy") }
        let server = try LoopbackServer { _ in .text("directly") }
        var way = CurlTransport.Proxy.address("http://127.0.0.1:\(proxy.port)")
        way.user = "user"
        way.password = "pass"
        let over = try CurlTransport(settings: settings { $0.proxy = way })
        way.exceptions = ["127.0.0.1"]
        let around = try CurlTransport(settings: settings { $0.proxy = way })

        let proxied = try await over.send(.get(server.url("/a?b")), call: Call()).text()
        let direct = try await around.send(.get(server.url("/")), call: Call()).text()

        expectEqual(proxied, "by proxy")
        expectEqual(direct, "directly")
        expectEqual(proxy.requests.first?.headers["Proxy-Authorization"], "Basic dXNlcjpwYXNz")
        expectEqual(String(reflecting: way).contains("pass"), false)
    }

    @Test("opens no more connections to a host than allowed")
    func connectionsPerHost() async throws {
        let server = try LoopbackServer { _ in .text("x").delayed(by: .milliseconds(5)) }
        let transport = try CurlTransport(settings: settings { $0.maximumConnectionsPerHost = 2 })

        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    _ = try await transport.send(.get(server.url("/")), call: Call()).text()
                }
            }
            try await group.waitForAll()
        }

        expectTrue(server.connectionCount <= 2)
    }
}
