import BoundedWaits
import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestRun
import Testing

@testable import InterceptorKitCurl

@Suite("EventLoop", .tags(.sockets), .serializedAcrossSuites, .timeLimit(.minutes(10)))
struct EventLoopTests {
    @Test("ends with its connections when its transport is dropped", .timeLimit(.minutes(10)))
    func manyTransports() async throws {
        final class Remains {
            weak var loop: EventLoop?
            init(_ loop: EventLoop) { self.loop = loop }
        }
        let server = try LoopbackServer { _ in .text("hello") }
        var used: [Remains] = []

        for index in 0..<10_000 {
            let transport = try CurlTransport()
            guard index % 50 == 0 else { continue }
            used.append(Remains(transport.loops.loops[0]))
            _ = try await transport.send(.get(server.url("/")), call: Call()).text()
        }

        try await server.waitForOpenConnections(0)
        // A thread holds its loop to its end, which may come a little later.
        await expectTrue(eventually { used.allSatisfy { $0.loop == nil } })
    }

    private func operation(over loop: EventLoop) throws -> RequestOperation {
        let io = TransferIO(easy: try unwrap(Easy()), fields: nil, upload: nil)
        return RequestOperation(io, host: "host.example", loop: loop)
    }

    @Test("takes no transfer when it was ended before its first", arguments: [true, false])
    func endedBefore(closes: Bool) async throws {
        let loop = EventLoop(try Configuration(CurlTransport.Settings()), connectionShare: 1)
        let operation = try operation(over: loop)

        if closes { loop.close() } else { loop.retire() }

        expectTrue(loop.isClosed)
        expectTrue(!loop.post(.start(operation)))
        expectEqual(loop.liveCount, 0)
        await loop.idle()
    }

    @Test("takes no other command before its first transfer")
    func unstarted() throws {
        let loop = EventLoop(try Configuration(CurlTransport.Settings()), connectionShare: 1)
        let operation = try operation(over: loop)

        expectTrue(!loop.post(.stop(operation)) && !loop.post(.resumeReceiving(operation)))
        expectTrue(!loop.isClosed)
    }
}
