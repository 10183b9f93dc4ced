import Expectations
import Foundation
import InterceptorKit
import InterceptorKitTesting
import TestRun
import Testing

@testable import InterceptorKitRouting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Route", .tags(.sockets), .serializedAcrossSuites, .timeLimit(.minutes(10)))
struct RouteTests {
    @Test("has the number that its protocol class carries")
    func numbers() {
        let values = (1...1000).map { routeNumber($0).value }

        expectEqual(values, Array(1...1000))
    }

    @Test("is released with the last configuration and session that holds it")
    func lifetime() async throws {
        let client = try HTTP.Client(
            transport: ScriptedTransport<HTTP.Request> { _, _ in HTTP.Response() },
            timeout: nil
        ) {}
        var number = 0

        do {
            let configuration = URLSessionConfiguration.ephemeral.routed(through: client)
            let routed = try unwrap(configuration.protocolClasses?.first as? RoutedProtocol.Type)
            number = routed.number
            let session = URLSession(configuration: configuration)
            let request = urlRequest("http://api.example.com/")
            let (_, response) = try await session.answer(to: request).get()

            expectEqual(response.statusCode, 200)
            expectTrue(Route.find(number) != nil)
            session.finishTasksAndInvalidate()
        }

        while Route.isListed(number) { await Task.yield() }
    }

    @Test("throws routeReleased when the configuration has lost it")
    func released() async throws {
        let client = try HTTP.Client(
            transport: ScriptedTransport<HTTP.Request> { _, _ in HTTP.Response() },
            timeout: nil
        ) {}
        let configuration = URLSessionConfiguration.ephemeral.routed(through: client)
        configuration.connectionProxyDictionary = nil

        let answer = await URLSession(configuration: configuration)
            .answer(to: urlRequest("http://api.example.com/"))

        guard case .failure(let error) = answer else {
            Issue.record("it was sent")
            return
        }
        expectEqual((error.userInfo[NSUnderlyingErrorKey] as? RoutingError)?.code, .routeReleased)
    }

    @Test("handles HTTP and HTTPS, and no other scheme")
    func schemes() throws {
        for (url, isTaken) in [("http://a/", true), ("HTTPS://a/", true), ("ws://a/", false)] {
            let request = URLRequest(url: try unwrap(URL(string: url)))

            expectEqual(RoutedProtocol.canInit(with: request), isTaken)
        }
    }
}
