#if os(Linux)
import EngineScenarios
import Expectations
import Foundation
import InterceptorKit
import InterceptorKitTesting
import TestRun
import Testing

@testable import InterceptorKitCurl

@Suite(
    "CurlTransport over proxies",
    .tags(.sockets, .process),
    .serializedAcrossSuites,
    .timeLimit(.minutes(10))
)
struct ProxyTests {
    private func transport(
        over proxy: LoopbackProxy,
        _ scheme: String = "http",
        _ change: (inout CurlTransport.Settings) -> Void = { _ in }
    ) throws -> CurlTransport {
        var settings = CurlTransport.Settings()
        settings.proxy = .address("\(scheme)://127.0.0.1:\(proxy.port)")
        settings.proxy.user = LoopbackProxy.user
        settings.proxy.password = LoopbackProxy.password
        change(&settings)
        return try CurlTransport(settings: settings)
    }

    @Test("can do what the documentation says")
    func documented() async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardOutputContent]
        ) {
            let table = ProxyTable(engine: "libcurl") {
                try CurlTransport()
            } inCode: { proxy in
                var settings = CurlTransport.Settings()
                let scheme = proxy.isSOCKS ? "socks5h" : "http"
                settings.proxy = .address("\(scheme)://127.0.0.1:\(proxy.port)")
                settings.proxy.exceptions = proxy.exceptions
                settings.proxy.usesDigest = proxy.authentication == .digest
                if proxy.authentication != .none {
                    settings.proxy.user = LoopbackProxy.user
                    settings.proxy.password = LoopbackProxy.password
                }
                return try CurlTransport(settings: settings)
            }
            try await table.report()
        }

        let output = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
        expectEqual(result?.exitStatus, .exitCode(ProxyTable.isRight), "\(output)")
    }

    @Test("come from the environment at the time the transport is created")
    func environment() async {
        await #expect(processExitsWith: .success) {
            let proxy = try LoopbackProxy()
            let server = try LoopbackServer { _ in .text("host") }
            // Safety, of both: this process has one thread that reads the environment.
            unsafe setenv("http_proxy", "http://127.0.0.1:\(proxy.port)", 1)
            let transport = try CurlTransport()
            // libcurl ignores the environment where the option for a proxy before the proxy is set.
            let first = try LoopbackProxy(isSOCKS: true)
            var settings = CurlTransport.Settings()
            settings.options = [.text(10262, "socks5h://127.0.0.1:\(first.port)")]
            let alone = try CurlTransport(settings: settings)
            unsafe unsetenv("http_proxy")
            let later = try CurlTransport()
            for transport in [transport, alone, later] {
                _ = try await transport.send(.get(server.url("/x")), call: Call())
            }
            exit(proxy.notes.count == 1 && first.notes.count == 1 ? 0 : 1)
        }
    }

    @Test("decodes a user and password in an address")
    func address() async throws {
        let proxy = try LoopbackProxy(.password)
        let server = try LoopbackServer { _ in .text("host") }
        let own = try transport(over: proxy) {
            $0.proxy = .address("http://us%40er:p%3As%2Fs%3F@127.0.0.1:\(proxy.port)")
        }
        let url = HTTP.URL(unvalidated: "http://h.example:\(server.port)/" as String)

        let text = try await own.send(.get(url), call: Call()).text()

        expectEqual(text, "host")
        expectEqual(proxy.notes, ["GET \(url)"])
    }

    @Test("sends a body once through a Digest proxy, which sees nothing of it")
    func digest() async throws {
        let proxy = try LoopbackProxy(.digest)
        let server = try LoopbackServer { .text("\($0.body.count)") }
        let own = try transport(over: proxy) { $0.proxy.usesDigest = true }
        let body = String(repeating: "x", count: 100_000)

        for _ in 0..<2 {
            let request = HTTP.Request.post(server.url("/x?"), body: .bytes(Data(body.utf8)))
            let text = try await own.send(request, call: Call()).text()
            expectEqual(text, "100000")
        }

        expectEqual(server.requests.map(\.target), ["/x?", "/x?"])
        expectEqual(server.requests.map { $0.headers["Proxy-Authorization"] }, [nil, nil])
        expectEqual(proxy.notes, ["refused", "CONNECT 127.0.0.1:\(server.port)"])
    }

    @Test(
        "reports a refused password as unsent, or delivers the 407",
        arguments: [
            ("http", "http", LoopbackProxy.Authentication.password, nil),
            ("http", "https", .password, TransportError.Code.proxyRefused),
            ("http", "http", .digest, .proxyRefused), ("http", "https", .digest, .proxyRefused),
            ("socks5h", "http", .password, .cannotConnect),
            ("socks5", "https", .password, .cannotConnect),
        ]
    )
    func wrong(
        kind: String,
        scheme: String,
        authentication: LoopbackProxy.Authentication,
        code: TransportError.Code?
    ) async throws {
        let proxy = try LoopbackProxy(isSOCKS: kind != "http", authentication)
        let own = try transport(over: proxy, kind) {
            $0.proxy.password = "wr0ng"
            $0.proxy.usesDigest = authentication == .digest
        }
        let url = HTTP.URL(unvalidated: "\(scheme)://127.0.0.1:9/")

        if let code {
            let error = await #expect(throws: TransportError.self) {
                try await own.send(.post(url, body: "x"), call: Call())
            }
            expectEqual(error?.code, code)
            expectEqual(error?.isUnsent, true)
            expectEqual(error.map { "\($0)".contains("wr0ng") }, false)
        } else {
            let response = try await own.send(.post(url, body: "x"), call: Call())
            expectEqual(response.status, 407)
        }
        expectTrue(proxy.notes.allSatisfy { $0 == "refused" })
    }

    @Test("lets a SOCKS proxy resolve names, if its address says so")
    func names() async throws {
        let proxy = try LoopbackProxy(isSOCKS: true, .password)
        let server = try LoopbackServer { _ in .text("host") }

        for scheme in ["socks5h", "socks5"] {
            let own = try transport(over: proxy, scheme) {
                $0.resolvedNames = ["h.example:\(server.port):127.0.0.1"]
            }
            let url = HTTP.URL(unvalidated: "http://h.example:\(server.port)/" as String)
            let text = try await own.send(.get(url), call: Call()).text()
            expectEqual(text, "host")
        }

        expectEqual(
            proxy.notes,
            ["name h.example:\(server.port)", "address 127.0.0.1:\(server.port)"]
        )
    }

    @Test(
        "reaches a host over TLS through any of them, and checks its pin",
        .enabled(if: Nginx.isInstalled),
        arguments: [
            ("http", LoopbackProxy.Authentication.password), ("http", .digest),
            ("socks5h", .password), ("socks5", .none),
        ]
    )
    func tls(kind: String, authentication: LoopbackProxy.Authentication) async throws {
        let nginx = try await Nginx()
        let proxy = try LoopbackProxy(isSOCKS: kind != "http", authentication)

        for isRight in [true, false] {
            let wrong = Data(repeating: 1, count: 32).base64EncodedString()
            let own = try transport(over: proxy, kind) {
                $0.proxy.usesDigest = authentication == .digest
                $0.tls.trust = .file(nginx.certificates.path("ca.pem"))
                $0.tls.pins = ["127.0.0.1": ["sha256/\(isRight ? nginx.certificates.pin : wrong)"]]
            }
            let answer = try? await own.send(.get(nginx.url(.good)), call: Call()).text()
            expectEqual(answer?.hasPrefix("HTTP/2.0"), isRight ? true : nil)
        }
    }
}
#endif
