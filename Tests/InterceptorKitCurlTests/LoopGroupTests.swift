import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestRun
import Testing

@testable import InterceptorKitCurl

@Suite("LoopGroup", .tags(.sockets), .serializedAcrossSuites)
struct LoopGroupTests {
    @Test("makes no more connections to a host than its limit", arguments: [1, 16, 32, 64])
    func limit(connections: Int) async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        var settings = CurlTransport.Settings()
        settings.maximumConnectionsPerHost = connections
        let transport = try CurlTransport(settings: settings)
        let url = server.url("/")

        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<200 {
                group.addTask { _ = try await transport.send(.get(url), call: Call()).text() }
            }
            try await group.waitForAll()
        }

        expectEqual(server.requests.count, 200)
        expectTrue(Set(server.requests.map(\.connection)).count <= connections)
    }

    @Test("has more loops only where connections are enough for them", arguments: [1, 47])
    func count(connections: Int) throws {
        var settings = CurlTransport.Settings()
        settings.maximumConnectionsPerHost = connections

        let few = LoopGroup(try Configuration(settings))

        expectEqual(few.loops.count, 2)
        expectTrue(few.next(sharesConnection: true, uploads: false) === few.loops[0])
        expectTrue(few.next(sharesConnection: true, uploads: true) === few.loops[1])
    }

    @Test("refuses calls on every loop once it is closed")
    func closed() throws {
        let group = LoopGroup(try Configuration(CurlTransport.Settings()))

        group.close()

        expectTrue(!group.loops.contains { !$0.isClosed })
    }
}
