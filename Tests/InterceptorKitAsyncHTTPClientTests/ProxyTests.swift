#if AsyncHTTPClient
import Expectations
import AsyncHTTPClient
import EngineScenarios
import Foundation
import InterceptorKit
import InterceptorKitAsyncHTTPClient
import NIOSSL
import TestRun
import Testing

@Suite(
    "AsyncHTTPClientTransport behind an HTTPS proxy",
    .tags(.sockets),
    .serializedAcrossSuites,
    .enabled(if: RawHTTP2Server.canBeStarted),
    .timeLimit(.minutes(10))
)
struct ProxyTests {
    @Test(
        "delivers the host's head, and nothing of the proxy's",
        arguments: ["", "HTTP/1.1 100 Continue\r\nX-Of: proxy\r\n\r\n"]
    )
    func tunnel(before: String) async throws {
        let server = try await RawHTTP2Server.start(
            answering: RawHTTP2Server.head(status: "404", endsStream: true)
        )
        let proxy = try await TunnelProxy.start(
            answering: before + "HTTP/1.1 200 OK\r\nSet-Cookie: of=proxy\r\n\r\n",
            tunnels: true
        )

        let response = try await send(to: server.port, through: proxy)

        expectEqual(response.status, 404)
        expectEqual(response.headers["Set-Cookie"], nil)
        expectEqual(response.headers["X-Of"], nil)
    }

    @Test(
        "reports a refused tunnel as unsent, and its status where it is told",
        arguments: [
            (403, TransportError.Code.cannotConnect), (407, .proxyRefused), (503, .cannotConnect),
        ]
    )
    func refused(status: Int, code: TransportError.Code) async throws {
        let proxy = try await TunnelProxy.start(
            answering: "HTTP/1.1 \(status) No\r\nContent-Length: 2\r\n"
                + "Proxy-Authenticate: Basic realm=p\r\nWWW-Authenticate: Basic\r\n\r\nno",
            tunnels: false
        )

        let error = await #expect(throws: TransportError.self) {
            try await send(to: 443, through: proxy)
        }

        expectEqual(error?.code, code)
        expectEqual(error?.isUnsent, true)
        expectEqual(error?.message.contains("CONNECT"), true)
        expectEqual(error?.message.contains("407"), status == 407)
    }

    #if os(Linux)
    @Test("can do what the documentation says")
    func documented() async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardOutputContent]
        ) {
            let table = ProxyTable(engine: "AsyncHTTPClient") {
                AsyncHTTPClientTransport()
            } inCode: { proxy in
                var configuration = AsyncHTTPClientTransport.defaultConfiguration
                configuration.proxy = .server(host: "127.0.0.1", port: proxy.port)
                if proxy.authentication != .none {
                    configuration.proxy?.authorization = .basic(
                        username: LoopbackProxy.user,
                        password: LoopbackProxy.password
                    )
                }
                if proxy.isSOCKS {
                    configuration.proxy = .socksServer(host: "127.0.0.1", port: proxy.port)
                }
                return AsyncHTTPClientTransport(configuration: configuration)
            }
            try await table.report()
        }

        let output = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
        expectEqual(result?.exitStatus, .exitCode(ProxyTable.isRight), "\(output)")
    }
    #endif

    private func send(to port: Int, through proxy: TunnelProxy) async throws -> HTTP.Response {
        var configuration = AsyncHTTPClientTransport.defaultConfiguration
        configuration.proxy = .server(host: "127.0.0.1", port: proxy.port)
        configuration.tlsConfiguration = .makeClientConfiguration()
        configuration.tlsConfiguration?.certificateVerification = .none
        let transport = AsyncHTTPClientTransport(configuration: configuration)
        let url = HTTP.URL("https://127.0.0.1:\(raw: "\(port)")/")
        return try await transport.send(.post(url, body: "x"), call: Call())
    }
}
#endif
