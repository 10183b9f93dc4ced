import Foundation
import InterceptorKit
import InterceptorKitTesting
import Testing

@testable import InterceptorKitCurl

@Suite("CurlTransport lifetimes", .timeLimit(.minutes(1)))
struct CurlTransportLifetimeTests {
    private let transport: CurlTransport

    init() throws { transport = try CurlTransport() }

    @Test("sends nothing for a task that is cancelled already")
    func cancelledBefore() async throws {
        let server = try LoopbackServer.start { _ in .status(200) }
        let task = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return try await transport.send(.get(server.url("/first")), call: Call())
        }

        await #expect(throws: CancellationError.self) { try await task.value }
        _ = try await transport.send(.get(server.url("/second")), call: Call())

        #expect(server.requests.map(\.path) == ["/second"])
    }

    @Test("cancelling in flight ends the send and its connection")
    func cancelledInFlight() async throws {
        let server = try LoopbackServer.start { _ in .stalled }
        let task = Task { try await transport.send(.get(server.url("/")), call: Call()) }
        try await server.waitForRequests(1)

        task.cancel()

        await #expect(throws: CancellationError.self) { try await task.value }
        try await server.waitForOpenConnections(0)
        await transport.loop.idle()
        #expect(transport.loop.liveCount == 0)
    }

    @Test("cancelling the reader ends the body and its connection")
    func cancelledWhileReading() async throws {
        let server = try LoopbackServer.start { _ in .text("0123456789").stalledInBody(after: 4) }
        let (heads, head) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            let response = try await transport.send(.get(server.url("/")), call: Call())
            head.finish()
            return try await response.body.collect()
        }
        for await _ in heads {}

        task.cancel()

        await #expect(throws: CancellationError.self) { try await task.value }
        try await server.waitForOpenConnections(0)
    }

    @Test("cancelling the body from outside ends its reader")
    func cancelledBody() async throws {
        let server = try LoopbackServer.start { _ in .text("0123456789").stalledInBody(after: 4) }
        let response = try await transport.send(.get(server.url("/")), call: Call())
        var chunks = response.body.makeAsyncIterator()
        _ = try await chunks.next()

        response.body.cancel()

        await #expect(throws: CancellationError.self) { try await chunks.next() }
        try await server.waitForOpenConnections(0)
    }

    @Test("dropping a body unread lets go of its connection")
    func dropped() async throws {
        let server = try LoopbackServer.start { _ in .text("0123456789").stalledInBody(after: 4) }

        var response: HTTP.Response? = try await transport.send(.get(server.url("/")), call: Call())
        let status = response?.status
        response = nil

        #expect(status == 200)
        try await server.waitForOpenConnections(0)
        await transport.loop.idle()
    }

    @Test("leaving a body's loop early lets go of its connection")
    func leftEarly() async throws {
        let server = try LoopbackServer.start { _ in .text("0123456789").stalledInBody(after: 4) }

        let response = try await transport.send(.get(server.url("/")), call: Call())
        for try await _ in response.body { break }

        try await server.waitForOpenConnections(0)
    }

    @Test("a body read to its end leaves its connection for the next request")
    func reused() async throws {
        let server = try LoopbackServer.start { _ in .text("hello") }

        for _ in 0..<3 {
            let response = try await transport.send(.get(server.url("/")), call: Call())
            _ = try await response.body.collect()
            await transport.loop.idle()
        }

        #expect(server.connectionCount == 1)
    }

    @Test("a reader slower than the other side makes it wait")
    func slowReader() async throws {
        var settings = CurlTransport.Settings()
        settings.bufferedBytes = 50_000
        let transport = try CurlTransport(settings: settings)
        let whole = Data((0..<2_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let server = try LoopbackServer.start { _ in .status(200, body: whole) }

        let response = try await transport.send(.get(server.url("/")), call: Call())
        var chunks = response.body.makeAsyncIterator()
        var read = Data()
        var largest = 0
        while let chunk = try await chunks.next() {
            read.append(chunk)
            largest = max(largest, chunk.count)
            for _ in 0..<20 { await Task.yield() }
        }

        #expect(read == whole)
        #expect(largest <= 50_000)
    }

    @Test("what a reader does not take is not made")
    func backPressure() async throws {
        let made = Lock(0)
        let server = try LoopbackServer.start { _ in
            .status(
                200,
                streaming: .oneShot(
                    AsyncStream<Data> {
                        made.withLock { $0 += 50_000 }
                        return Data(count: 50_000)
                    }
                )
            )
        }

        let response = try await transport.send(.get(server.url("/")), call: Call())
        var chunks = response.body.makeAsyncIterator()
        _ = try await chunks.next()
        try await Runtime.live.sleep(for: .milliseconds(300))
        let madeAtRest = made.withLock(\.self)
        var read = 0
        while read < 50_000_000, let chunk = try await chunks.next() { read += chunk.count }
        response.body.cancel()

        // The buffer of the transport and those of two sockets.
        #expect(madeAtRest < 24 << 20)
        #expect(read >= 50_000_000)
        try await server.waitForOpenConnections(0)
    }

    @Test("transports made and dropped leave nothing", .timeLimit(.minutes(2)))
    func manyTransports() async throws {
        final class Remains {
            weak var loop: EventLoop?
            init(_ loop: EventLoop) { self.loop = loop }
        }
        let server = try LoopbackServer.start { _ in .text("hello") }
        var used: [Remains] = []

        for index in 0..<10_000 {
            let transport = try CurlTransport()
            guard index % 50 == 0 else { continue }
            used.append(Remains(transport.loop))
            _ = try await transport.send(.get(server.url("/")), call: Call()).text()
        }

        try await server.waitForOpenConnections(0)
        // A thread holds its loop to its end, which may come a little later.
        for _ in 0..<500 where used.contains(where: { $0.loop != nil }) {
            try await Runtime.live.sleep(for: .milliseconds(20))
        }
        #expect(used.allSatisfy { $0.loop == nil })
    }

    @Test("closing ends what is under way and refuses what comes")
    func closed() async throws {
        let server = try LoopbackServer.start { request in
            request.path == "/body" ? .text("0123456789").stalledInBody(after: 4) : .stalled
        }
        let response = try await transport.send(.get(server.url("/body")), call: Call())
        let task = Task { try await transport.send(.get(server.url("/head")), call: Call()) }
        try await server.waitForRequests(2)

        transport.close()
        transport.close()

        let inBody = await #expect(throws: TransportError.self) {
            try await response.body.collect()
        }
        let inHead = await #expect(throws: TransportError.self) { try await task.value }
        let after = await #expect(throws: TransportError.self) {
            try await transport.send(.get(server.url("/")), call: Call())
        }
        #expect([inBody, inHead, after].map(\.?.code) == [.closed, .closed, .closed])
        #expect(after?.isCertainlyUnsent == true)
        try await server.waitForOpenConnections(0)
        #expect(transport.loop.liveCount == 0)
    }

    @Test("a body outlives its transport")
    func outlives() async throws {
        let server = try LoopbackServer.start { _ in
            .text("hello").bodyDelayed(by: .milliseconds(20))
        }
        var transport: CurlTransport? = try CurlTransport()

        let response = try await transport?.send(.get(server.url("/")), call: Call())
        transport = nil
        let text = try await response?.text()

        #expect(text == "hello")
        try await server.waitForOpenConnections(0)
    }
}
