import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("CoalescingInterceptor and bodies")
struct CoalescingBodyTests {
    /// Sends a request several times at once and reads what comes.
    private static func counts(
        _ calls: Int,
        upTo limit: Int = 5 << 20,
        _ headers: HTTP.Headers = [:],
        of chunks: Int,
        in simulation: Simulation
    ) async throws -> (sends: Int, bytes: [Int], inMemory: Int) {
        let transport = ScriptedTransport<HTTP.Request> { _, call in
            try await call.runtime.sleep(for: .seconds(1))
            let body = HTTP.Body.oneShot(CountingStream(chunks: chunks))
            return HTTP.Response(200, headers: headers, body: body)
        }
        let client = try simulation.client(transport) { CoalescingInterceptor(upTo: limit) }
        let inMemory = Recorder<Int>()
        let bytes = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<calls {
                group.addTask {
                    let response = try await client.send(.get(orders))
                    if response.body.inMemory != nil { inMemory.note(1) }
                    return try await response.body.collect().count
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        try requireEqual(client.openBodies, 0)
        return (transport.sent.count, bytes, inMemory.entries.count)
    }

    @Test("a response that nobody else waits for is streamed")
    func alone() async throws {
        let (sends, bytes, inMemory) = try await onEverySeed(0..<50) { simulation in
            try await Self.counts(1, of: 10, in: simulation)
        }

        expectEqual(sends, 1)
        expectEqual(bytes, [10 * 1024])
        expectEqual(inMemory, 0)
    }

    @Test("a body up to the limit is shared from memory")
    func atLimit() async throws {
        let (sends, bytes, inMemory) = try await onEverySeed(0..<50) { simulation in
            try await Self.counts(3, upTo: 10 * 1024, of: 10, in: simulation)
        }

        expectEqual(sends, 1)
        expectEqual(bytes, [10 * 1024, 10 * 1024, 10 * 1024])
        expectEqual(inMemory, 3)
    }

    @Test("a larger body goes to the first call, and the others send themselves")
    func tooLarge() async throws {
        let (sends, bytes, _) = try await onEverySeed(0..<200) { simulation in
            try await Self.counts(3, upTo: 10 * 1024 - 1, of: 10, in: simulation)
        }

        expectEqual(sends, 3)
        expectEqual(bytes, [10 * 1024, 10 * 1024, 10 * 1024])
    }

    @Test("a response that may be endless is not shared")
    func endless() async throws {
        let (sends, _, _) = try await onEverySeed(0..<50) { simulation in
            try await Self.counts(
                2,
                ["Content-Type": "text/event-stream; charset=utf-8"],
                of: 1,
                in: simulation
            )
        }

        expectEqual(sends, 2)
    }

    @Test("trailers are shared too, after the end of the body")
    func trailers() async throws {
        let trailers = try await onEverySeed(0..<50) { simulation in
            let service = try CoalescedService(simulation)
            return try await withThrowingTaskGroup(of: [HTTP.Headers?].self) { group in
                for _ in 0..<2 {
                    group.addTask {
                        let response = try await service.client.send(.get(orders))
                        let before = response.trailers
                        _ = try await response.text()
                        return [before, response.trailers]
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
        }

        expectEqual(trailers, [nil, ["X-Sum": "1"], nil, ["X-Sum": "1"]])
    }

    @Test("a cancelled read of a shared body throws, and yields no trailers")
    func cancelled() async throws {
        let (isCancelled, trailers) = try await onEverySeed(0..<50) { simulation in
            let service = try CoalescedService(simulation)
            async let other = service.client.send(.get(orders)).text()
            let response = try await service.client.send(.get(orders))
            _ = try await other

            response.body.cancel()
            do {
                for try await _ in response.body {}
                return (false, response.trailers)
            } catch {
                return (error is CancellationError, response.trailers)
            }
        }

        expectTrue(isCancelled)
        expectEqual(trailers, nil)
    }

    @Test("an interrupted body fails all who wait for it")
    func brokenOff() async throws {
        try await onEverySeed(0..<100) { simulation in
            let transport = ScriptedTransport<HTTP.Request> { _, call in
                try await call.runtime.sleep(for: .seconds(1))
                let body = HTTP.Body.oneShot(FaultyStream(Data("abcdefgh".utf8), .lost(after: 6)))
                return HTTP.Response(200, body: body)
            }
            let client = try simulation.client(transport) { CoalescingInterceptor() }
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<3 {
                    group.addTask {
                        await #expect(throws: TransportError.self) {
                            try await client.send(.get(orders)).text()
                        }
                    }
                }
            }
            try requireEqual(transport.sent.count, 1)
        }
    }

    @Test("a negative limit is refused")
    func refusal() {
        let transport = ScriptedTransport<HTTP.Request>(replies: [])
        #expect(throws: PipelineError.self) {
            try Pipeline(transport: transport) { CoalescingInterceptor(upTo: -1) }
        }
    }
}
