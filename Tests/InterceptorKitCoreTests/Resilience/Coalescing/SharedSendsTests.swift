import Expectations
import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitTesting
import Synchronization
import TestRun
import TestSupport
import Testing

@Suite("SharedSends")
struct SharedSendsTests {
    @Test("a cancelled caller leaves at once, and the others get the response")
    func oneLeaves() async throws {
        try await onEverySeed { simulation in
            let service = try CoalescedService(simulation)
            let runtime = simulation.runtime
            let first = runtime.start("first") {
                await #expect(throws: CancellationError.self) {
                    try await service.client.send(.get(orders))
                }
                expectEqual(runtime.now.offset, .milliseconds(500))
            }
            while service.transport.sent.isEmpty { try await runtime.sleep(for: .milliseconds(1)) }

            async let others = service.texts(of: [.get(orders), .get(orders)])
            try await runtime.sleep(until: .init(offset: .milliseconds(500)))
            first.cancel()
            await first.value
            let texts = try await others

            try requireEqual(texts, ["answer 1", "answer 1"])
            try requireEqual(service.transport.sent.count, 1)
        }
    }

    @Test("a caller whose deadline passes leaves, and the others get the response")
    func late() async throws {
        try await onEverySeed { simulation in
            let service = try CoalescedService(simulation)
            let runtime = simulation.runtime
            async let first = service.texts(of: [.get(orders)])
            while service.transport.sent.isEmpty { try await runtime.sleep(for: .milliseconds(1)) }

            let error = await #expect(throws: TimeoutError.self) {
                try await service.client.send(.get(orders), timeout: .milliseconds(200))
            }

            expectEqual(error?.code, .total)
            expectEqual((error?.cause as? TransportError)?.isUnsent, true)
            try require(runtime.now.offset < .milliseconds(400))
            try await requireEqual(first, ["answer 1"])
            try requireEqual(service.transport.sent.count, 1)
        }
    }

    @Test("the send is cancelled when all callers are, and ends before they do")
    func allLeave() async throws {
        try await onEverySeed { simulation in
            let inFlight = Recorder<Int>()
            let transport = ScriptedTransport<HTTP.Request> { _, call in
                inFlight.note(1)
                defer { inFlight.note(-1) }
                try await call.runtime.sleep(for: .seconds(60))
                return HTTP.Response(200)
            }
            let client = try simulation.client(transport) { CoalescingInterceptor() }
            let cancellations = await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        do {
                            _ = try await client.send(.get(orders))
                            return false
                        } catch {
                            return error is CancellationError
                        }
                    }
                }
                try? await simulation.runtime.sleep(for: .seconds(1))
                group.cancelAll()
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }

            try requireEqual(cancellations, 4)
            try requireEqual(inFlight.entries, [1, -1])
            try requireEqual(simulation.now.offset, .seconds(1))
        }
    }

    @Test("a caller that comes after all have left sends again")
    func comesAfter() async throws {
        try await onEverySeed { simulation in
            let service = try CoalescedService(simulation)
            let leaver = simulation.runtime.start("leaver") {
                _ = try? await service.client.send(.get(orders))
            }
            try await simulation.runtime.sleep(for: .milliseconds(500))
            leaver.cancel()

            let texts = try await service.texts(of: [.get(orders)])
            await leaver.value

            try requireEqual(texts, ["answer 2"])
            try requireEqual(simulation.now.offset, .milliseconds(1500))
        }
    }

    @Test("the first call's deadline doesn't apply to the others")
    func deadline() async throws {
        try await onEverySeed { simulation in
            let transport = ScriptedTransport<HTTP.Request> { _, call in
                let enough = call.remaining ?? .seconds(60)
                try await call.runtime.sleep(for: min(enough, .seconds(3)))
                guard enough > .seconds(3) else {
                    throw TransportError(.timedOut, "No answer came.")
                }
                return HTTP.Response(200)
            }
            let client = try simulation.client(transport) { CoalescingInterceptor() }
            let results = await withTaskGroup(of: String.self) { group in
                for (delay, limit) in [(0, 2), (1, 30), (1, 60)] {
                    group.addTask {
                        do {
                            try await simulation.runtime.sleep(for: .seconds(delay))
                            let timeout = Duration.seconds(limit)
                            return "\(try await client.send(.get(orders), timeout: timeout).status)"
                        } catch {
                            return "\(type(of: error))"
                        }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }.sorted()
            }

            try requireEqual(results, ["200 OK", "200 OK", "TimeoutError"])
            try requireEqual(transport.sent.count, 2)
            try requireEqual(simulation.now.offset, .seconds(5))
        }
    }

    @Test("each call has one outcome in any schedule, and nothing keeps running")
    func property() async throws {
        try await besideOtherTests {
            try simulate(seeds: 0..<(2 * seedCount)) { simulation in
                let open = Lock((now: 0, most: 0))
                let transport = ScriptedTransport<HTTP.Request> { _, call in
                    open.withLock { open in
                        open.now += 1
                        open.most = max(open.most, open.now)
                    }
                    defer { open.withLock { $0.now -= 1 } }
                    try await call.runtime.sleep(for: .seconds(Int(call.runtime.random() % 4)))
                    if call.runtime.random() % 4 == 0 {
                        throw TransportError(.connectionLost, "Lost.")
                    }
                    return HTTP.Response(200, body: .oneShot(OneChunk("x")))
                }
                let client = try simulation.client(transport) { CoalescingInterceptor() }
                let runtime = simulation.runtime
                let ends = Recorder<String>()
                await withTaskGroup(of: Void.self) { group in
                    for _ in 0..<6 {
                        let wasCancelled = Recorder<Int>()
                        let caller = runtime.start("caller") {
                            try? await runtime.sleep(for: .seconds(Int(runtime.random() % 3)))
                            do {
                                ends.note(try await client.send(.get(orders)).text())
                            } catch is TransportError {
                                ends.note("lost")
                            } catch {
                                ends.note(wasCancelled.entries.isEmpty ? "stray" : "cancelled")
                            }
                        }
                        group.addTask {
                            if runtime.random() % 2 == 0 {
                                try? await runtime.sleep(for: .seconds(Int(runtime.random() % 5)))
                                wasCancelled.note(1)
                                caller.cancel()
                            }
                            await caller.value
                        }
                    }
                    await group.waitForAll()
                }

                try requireEqual(ends.entries.count, 6)
                try require(!ends.entries.contains("stray"))
                let (now, most) = open.withLock { $0 }
                try requireEqual(now, 0)
                // The one under way, and one that was given up and is unwinding.
                try require(most <= 2)
                try requireEqual(client.openBodies, 0)
            }
        }
    }

    @Test("all waiters get the same error")
    func sameError() async throws {
        let sends = try await onEverySeed(0..<200) { simulation in
            let transport = ScriptedTransport<HTTP.Request> { _, call in
                try await call.runtime.sleep(for: .seconds(1))
                throw TransportError(.connectionLost, "Lost.")
            }
            let client = try simulation.client(transport) { CoalescingInterceptor() }
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<5 {
                    group.addTask {
                        await #expect(throws: TransportError.self) {
                            try await client.send(.get(orders))
                        }
                    }
                }
            }
            return transport.sent.count
        }

        expectEqual(sends, 1)
    }
}
