import Expectations
import InterceptorKit
import InterceptorKitTesting
import InterceptorKitTransport
import TestRun
import Testing

@Suite(
    "URLSessionTransport with unusual addresses",
    .tags(.sockets),
    .serializedAcrossSuites,
    .timeLimit(.minutes(10))
)
struct URLEngineTests {
    private let transport = URLSessionTransport()

    // An IPv4 address in IPv6's form, under which a server that listens on the former is reached too.
    @Test(
        "reaches an IPv6 address and names it in lower case",
        arguments: ["[::ffff:127.0.0.1]", "[::FFFF:7f00:1]"]
    )
    func addressIPv6(host: String) async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let url = HTTP.URL("http://\(raw: host):\(server.port)/a%5Bb%5D?c=%5B:%5D")

        let text = try await transport.send(.get(url), call: Call()).text()

        expectEqual(text, "hello")
        expectEqual(server.requests.map(\.target), ["/a%5Bb%5D?c=%5B:%5D"])
        expectEqual(server.requests.first?.headers["Host"], "\(host.lowercased()):\(server.port)")
    }

    @Test("delivers a redirect within an IPv6 origin")
    func redirectIPv6() async throws {
        let server = try LoopbackServer { _ in .redirect(to: "/there") }
        let url = HTTP.URL("http://[::ffff:127.0.0.1]:\(server.port)/")

        let response = try await transport.send(.get(url), call: Call())

        expectEqual(response.status, 302)
        expectEqual(response.headers["Location"], "/there")
    }

    @Test("takes a scheme in upper case for the same scheme", arguments: ["HTTP", "Http"])
    func capitalScheme(scheme: String) async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let url = HTTP.URL("\(raw: scheme)://127.0.0.1:\(server.port)/Path")

        let text = try await transport.send(.get(url), call: Call()).text()

        expectEqual(text, "hello")
        expectEqual(server.requests.map(\.target), ["/Path"])
    }
}
