import Expectations
import Foundation
import InterceptorKit
import InterceptorKitTesting
import InterceptorKitTransport
import TestRun
import Testing

@testable import InterceptorKitRouting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(
    "A configuration routed through a client",
    .tags(.sockets),
    .serializedAcrossSuites,
    .timeLimit(.minutes(10))
)
struct URLSessionConfigurationRoutingTests {
    private let echo = ScriptedTransport<HTTP.Request> { request, _ in
        let body = try await request.body.collect()
        return HTTP.Response(200, headers: ["X-Method": "\(request.method)"], body: .bytes(body))
    }
    private let url: HTTP.URL = "http://api.example.com/orders?page=2"

    @Test("keeps several configurations and the default one apart")
    func apart() async throws {
        let server = try LoopbackServer { .text($0.headers["X-Down"] ?? "none") }
        let sessions = try ["a", "b"].map { name in
            routedSession(
                through: try HTTP.Client(transport: URLSessionTransport()) { Mark(name: name) }
            )
        }

        var seen: [String] = []
        for session in sessions + [URLSession(configuration: .ephemeral)] {
            let (data, _) = try await session.answer(to: urlRequest(server.url("/"))).get()
            seen.append(String(decoding: data, as: UTF8.self))
        }

        expectEqual(seen, ["a", "b", "none"])
    }

    @Test("takes the place of an earlier route of the same configuration")
    func rerouted() async throws {
        let first = try HTTP.Client(transport: echo, timeout: nil) { Mark(name: "first") }
        let second = try HTTP.Client(transport: echo, timeout: nil) { Mark(name: "second") }
        let configuration = URLSessionConfiguration.ephemeral.routed(through: first)

        let rerouted = configuration.routed(through: second)
        let session = URLSession(configuration: rerouted)
        let (_, response) = try await session.answer(to: urlRequest(url)).get()

        expectEqual(response.value(forHTTPHeaderField: "X-Up"), "second")
        expectEqual(rerouted.protocolClasses?.count { $0 is RoutedProtocol.Type }, 1)
    }

    @Test("keeps its route when a transport is made with it")
    func transport() async throws {
        let client = try HTTP.Client(transport: echo, timeout: nil) { Mark(name: "a") }
        let routed = URLSessionConfiguration.ephemeral.routed(through: client)
        let transport = try URLSessionTransport(configuration: routed)
        defer { transport.close() }

        let response = try await HTTP.Client(transport: transport).send(.get(url))

        expectEqual(response.headers["X-Up"], "a")
    }

    @Test("does not route the shared URLSession at the end of its chain")
    func defaultSession() async throws {
        let server = try LoopbackServer { _ in .text("through") }
        let client = try HTTP.Client(transport: PlainSession(session: .shared)) { Mark(name: "a") }

        let (data, _) = try await routedSession(through: client)
            .answer(to: urlRequest(server.url("/"))).get()

        expectEqual(String(decoding: data, as: UTF8.self), "through")
        expectEqual(server.requests.count, 1)
    }
}
