import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestRun
import Testing

@testable import InterceptorKitCurl

@Suite(
    "CurlTransport with an address to connect to",
    .tags(.sockets),
    .serializedAcrossSuites,
    .timeLimit(.minutes(10))
)
struct ConnectAddressTests {
    private func transport(
        _ change: (inout CurlTransport.Settings) -> Void = { _ in }
    ) throws -> CurlTransport {
        var settings = CurlTransport.Settings()
        settings.proxy = .none
        change(&settings)
        return try CurlTransport(settings: settings)
    }

    private func call(to server: LoopbackServer) -> Call {
        var call = Call()
        call.connectAddress = HTTP.ConnectAddress(host: "127.0.0.1", port: server.port)
        return call
    }

    @Test("sends to two addresses of one name over a connection each")
    func alternating() async throws {
        let transport = try transport()
        let servers = try ["first", "second"].map { text in try LoopbackServer { _ in .text(text) }
        }

        var texts: [String] = []
        for number in 0..<10 {
            let response = try await transport.send(
                .get("http://name.invalid:4711/orders?a=b"),
                call: call(to: servers[number % 2])
            )
            texts.append(try await response.text())
        }

        expectEqual(texts, (0..<10).map { $0 % 2 == 0 ? "first" : "second" })
        for server in servers {
            expectEqual(server.requests.count, 5)
            expectEqual(server.connectionCount, 1)
            expectTrue(server.requests.allSatisfy { $0.headers["Host"] == "name.invalid:4711" })
            expectTrue(server.requests.allSatisfy { $0.target == "/orders?a=b" })
        }
    }

    @Test(
        "connects by the name again in the next call",
        arguments: ["", "x"]
    )
    func unset(body: String) async throws {
        let transport = try transport()
        let server = try LoopbackServer { _ in .text("here") }
        let url: HTTP.URL = "http://name.invalid:4711/"
        let request: HTTP.Request = body.isEmpty ? .get(url) : .post(url, body: .text(body))

        for _ in 0..<3 {
            let text = try await transport.send(request, call: call(to: server)).text()
            let error = await #expect(throws: TransportError.self) {
                try await transport.send(request, call: Call())
            }

            expectEqual(text, "here")
            expectEqual(error?.code, .nameNotResolved)
            expectEqual(error?.isUnsent, true)
        }
        expectEqual(server.requests.count, 3)
    }

    @Test("keeps connections by name and by address apart")
    func apart() async throws {
        let transport = try transport()
        let byName = try LoopbackServer { _ in .text("by name") }
        let byAddress = try LoopbackServer { _ in .text("by address") }

        var texts: [String] = []
        for _ in 0..<3 {
            for call in [Call(), call(to: byAddress)] {
                let response = try await transport.send(.get(byName.url("/")), call: call)
                texts.append(try await response.text())
            }
        }

        expectEqual(
            texts,
            ["by name", "by address", "by name", "by address", "by name", "by address"]
        )
        expectEqual(byName.connectionCount, 1)
        expectEqual(byAddress.connectionCount, 1)
    }

    @Test("keeps many calls at once to several addresses apart")
    func concurrent() async throws {
        let transport = try transport()
        let servers = try (0..<3).map { index in try LoopbackServer { _ in .text("\(index)") } }

        let wrong = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<150 {
                let call = call(to: servers[number % 3])
                group.addTask {
                    let response = try await transport.send(
                        .get("http://name.invalid/"),
                        call: call
                    )
                    return try await response.text() != "\(number % 3)"
                }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }

        expectEqual(wrong, 0)
    }

    @Test("names both the host and the address where nobody listens")
    func refused() async throws {
        var call = Call()
        call.connectAddress = HTTP.ConnectAddress(host: "127.0.0.1", port: 1)

        let error = await #expect(throws: TransportError.self) {
            try await transport().send(.get("http://name.invalid/secret"), call: call)
        }

        expectEqual(error?.code, .cannotConnect)
        expectEqual(error?.isUnsent, true)
        expectEqual(error?.message.contains("name.invalid at 127.0.0.1:1"), true)
        expectEqual(error?.message.contains("secret"), false)
    }

    @Test("refuses what is no address before anything is sent", arguments: ["", "a:1:b", "a\r\nb"])
    func invalid(host: String) async throws {
        let server = try LoopbackServer { _ in .text("here") }
        var call = Call()
        call.connectAddress = HTTP.ConnectAddress(host: host, port: server.port)

        let error = await #expect(throws: HTTP.RequestError.self) {
            try await transport().send(.get(server.url("/")), call: call)
        }

        expectEqual(error?.code, .invalidConnectAddress)
        expectEqual(server.connectionCount, 0)
    }

    @Test("refuses an address over a Unix socket, which has none")
    func unixSocket() async throws {
        let server = try LoopbackServer { _ in .text("here") }
        let transport = try transport { $0.unixSocketPath = "/nowhere" }

        let error = await #expect(throws: TransportError.self) {
            try await transport.send(.get("http://name.invalid/"), call: call(to: server))
        }

        expectEqual(error?.code, .unsupported)
        expectEqual(server.connectionCount, 0)
    }

    @Test("asks an HTTP proxy for a tunnel to the address")
    func proxy() async throws {
        let proxy = try LoopbackServer { _ in .status(403) }
        let server = try LoopbackServer { _ in .text("here") }
        let transport = try transport { $0.proxy = .address("http://127.0.0.1:\(proxy.port)") }

        _ = await #expect(throws: TransportError.self) {
            try await transport.send(.get("http://name.invalid/"), call: call(to: server))
        }

        expectEqual(proxy.requests.map(\.method), ["CONNECT"])
        expectEqual(proxy.requests.map(\.target), ["127.0.0.1:\(server.port)"])
        expectEqual(server.connectionCount, 0)
    }
}
