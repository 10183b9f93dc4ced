import Foundation
import InterceptorKit
import InterceptorKitTesting
import TestRun
import Testing

@testable import InterceptorKitCurl

@Suite(
    "CurlTransport with settings",
    .tags(.sockets),
    .serializedAcrossSuites,
    .timeLimit(.minutes(1))
)
struct SettingsTests {
    private func settings(
        _ change: (inout CurlTransport.Settings) -> Void
    ) -> CurlTransport.Settings {
        var settings = CurlTransport.Settings()
        change(&settings)
        return settings
    }

    @Test("refuses an invalid setting by name when it is created")
    func refused() {
        let wrong: [(String, CurlTransport.Settings)] = [
            ("maximumConnectionsPerHost", settings { $0.maximumConnectionsPerHost = 0 }),
            ("maximumConnections", settings { $0.maximumConnections = 0 }),
            ("connectTimeout", settings { $0.connectTimeout = .zero }),
            ("idleTimeout", settings { $0.idleTimeout = .seconds(-1) }),
            ("bufferedBytes", settings { $0.bufferedBytes = 0 }),
            ("nameCacheDuration", settings { $0.nameCacheDuration = .seconds(-1) }),
            ("proxy", settings { $0.proxy = .address("") }),
            ("unixSocketPath", settings { $0.unixSocketPath = "" }),
            ("text", settings { $0.resolvedNames = ["a:1:b\r\nc"] }),
            ("options", settings { $0.options = [.number(99_999, 1)] }),
            // Addresses, lists and functions are not numbers or texts.
            ("options", settings { $0.options = [.text(10_001, "x")] }),
            ("options", settings { $0.options = [.text(10_023, "X-A: b")] }),
            ("options", settings { $0.options = [.number(20_011, 1)] }),
        ]

        for (name, settings) in wrong {
            let error = #expect(throws: CurlTransport.SetupError.self) {
                try CurlTransport(settings: settings)
            }
            #expect(error?.code == .invalidSetting)
            #expect(error?.description.contains(name) == true)
        }
    }

    @Test("shows no secret in a description of its settings")
    func redaction() {
        let settings = settings { settings in
            settings.options = [.text(10_005, "user:s3cret"), .number(158, 99)]
            settings.proxy = .address("http://user:s3cret@proxy.example")
            settings.proxy.password = "s3cret"
            settings.tls.clientCertificate = .bytes(
                certificate: Data("s3cret".utf8),
                key: Data("s3cret".utf8),
                password: "s3cret"
            )
        }
        var dumped = "\(settings) \(settings.options) \(settings.proxy) \(settings.tls)"
        dump(settings, to: &dumped)

        #expect(!dumped.contains("s3cret"))
        // The bytes of a key.
        #expect(!dumped.contains("- 115"))
        #expect(dumped.contains("option 10005"))
        #expect(dumped.contains("a client certificate"))
        #expect(dumped.contains("a proxy"))
    }

    @Test("applies a raw libcurl option last")
    func options() async throws {
        // CURLOPT_USERAGENT and CURLOPT_HTTP_CONTENT_DECODING.
        let transport = try CurlTransport(
            settings: settings { $0.options = [.text(10_018, "mine/1"), .number(158, 0)] }
        )
        let server = try LoopbackServer.start { _ in .status(200) }

        _ = try await transport.send(.get(server.url("/")), call: Call())

        #expect(server.requests.first?.headers["User-Agent"] == "mine/1")
    }

    @Test("resolves a host name to the address in its settings")
    func resolvedNames() async throws {
        let server = try LoopbackServer.start { _ in .text("here") }
        let transport = try CurlTransport(
            settings: settings {
                $0.resolvedNames = ["nowhere.example:\(server.port):127.0.0.1"]
                $0.proxy = .none
            }
        )
        let url: String = "http://nowhere.example:\(server.port)/"

        let text = try await transport.send(.get(HTTP.URL(url)), call: Call()).text()

        #expect(text == "here")
        #expect(server.requests.first?.headers["Host"] == "nowhere.example:\(server.port)")
    }

    @Test("uses a proxy with credentials, except to excluded hosts")
    func proxy() async throws {
        let proxy = try LoopbackServer.start { _ in .text("by proxy") }
        let server = try LoopbackServer.start { _ in .text("directly") }
        var way = CurlTransport.Proxy.address("http://127.0.0.1:\(proxy.port)")
        way.user = "user"
        way.password = "pass"
        let over = try CurlTransport(settings: settings { $0.proxy = way })
        way.exceptions = ["127.0.0.1"]
        let around = try CurlTransport(settings: settings { $0.proxy = way })

        let proxied = try await over.send(.get(server.url("/a?b")), call: Call()).text()
        let direct = try await around.send(.get(server.url("/")), call: Call()).text()

        #expect(proxied == "by proxy")
        #expect(direct == "directly")
        #expect(proxy.requests.first?.headers["Proxy-Authorization"] == "Basic dXNlcjpwYXNz")
        #expect(String(reflecting: way).contains("pass") == false)
    }

    @Test("opens no more connections to a host than allowed")
    func connectionsPerHost() async throws {
        let server = try LoopbackServer.start { _ in .text("x").delayed(by: .milliseconds(5)) }
        let transport = try CurlTransport(settings: settings { $0.maximumConnectionsPerHost = 2 })

        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    _ = try await transport.send(.get(server.url("/")), call: Call()).text()
                }
            }
            try await group.waitForAll()
        }

        #expect(server.connectionCount <= 2)
    }

    @Test("does not decode a response if the request set Accept-Encoding")
    func ownCodings() async throws {
        let server = try LoopbackServer.start { _ in
            .status(200, headers: ["Content-Encoding": "gzip"], body: "not gzip")
        }
        let transport = try CurlTransport()
        let own = HTTP.Request.get(server.url("/"), headers: ["Accept-Encoding": "gzip"])

        let response = try await transport.send(own, call: Call())
        let text = try await response.text()
        let other = try await transport.send(.get(server.url("/")), call: Call())
        await #expect(throws: TransportError.self) { try await other.text() }

        #expect(text == "not gzip")
        #expect(response.headers["Content-Encoding"] == "gzip")
        #expect(other.request?.headers["Accept-Encoding"]?.hasPrefix("gzip") == true)
        #expect(server.requests.last?.headers["Accept-Encoding"]?.hasPrefix("gzip") == true)
    }
}
