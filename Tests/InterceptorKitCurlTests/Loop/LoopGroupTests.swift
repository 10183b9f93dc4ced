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
        expectTrue(few.reserve(sharesConnection: true, uploads: false) === few.loops[0])
        expectTrue(few.reserve(sharesConnection: true, uploads: true) === few.loops[1])
    }

    @Test("counts a transfer for its loop from the choice on, before it starts")
    func reservation() throws {
        var settings = CurlTransport.Settings()
        settings.maximumConnectionsPerHost = 2
        let group = LoopGroup(try Configuration(settings))

        let first = group.reserve(sharesConnection: false, uploads: false)
        let second = group.reserve(sharesConnection: false, uploads: false)

        expectTrue(first === group.loops[0])
        expectTrue(second === group.loops[1])
        // Another choice came between.
        expectTrue(!first.reserve(after: 0))
        first.release()
        expectTrue(group.reserve(sharesConnection: false, uploads: false) === first)
    }

    @Test("counts nothing for what failed before it started, and for what is over")
    func release() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let transport = try CurlTransport()
        _ = try await transport.send(.get(server.url("/")), call: Call()).text()
        var call = Call()
        // Before the request is handed to the loop.
        call.onBodySent = { _ in unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
        let cancelled = Task { [call] in
            try await transport.send(.post(server.url("/"), body: "x"), call: call)
        }

        await #expect(throws: CancellationError.self) { try await cancelled.value }
        await transport.loops.idle()

        expectEqual(server.requests.count, 1)
        expectEqual(transport.loops.loops.map(\.reservedCount).reduce(0, +), 0)
    }

    @Test("refuses calls on every loop once it is closed")
    func closed() throws {
        let group = LoopGroup(try Configuration(CurlTransport.Settings()))

        group.close()

        expectTrue(!group.loops.contains { !$0.isClosed })
    }
}
