import InterceptorKit
import InterceptorKitTesting
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

private let target: HTTP.Request = .get("https://a.example/orders")

private func answering(_ body: HTTP.Body = "0123456789") -> ScriptedTransport<HTTP.Request> {
    ScriptedTransport { _, _ in HTTP.Response(200, body: body) }
}

@Suite struct ChaosTransportTests {
    /// Sends once through one fault in a simulation and returns what came of it and when.
    private func outcome(
        _ fault: ChaosFault<HTTP.Request>,
        body: HTTP.Body = "0123456789",
        seed: UInt64 = 1
    ) throws -> (text: String, error: TransportError?, sends: Int, end: Duration) {
        let base = answering(body)
        return try Simulation.run(seed: seed) { simulation in
            let transport = try ChaosTransport(over: base, [fault])
            var text = ""
            var failure: TransportError?
            do {
                let call = Call(runtime: simulation.runtime)
                let response = try await transport.send(target, call: call)
                text = "\(response.status.code) "
                for try await chunk in response.body {
                    text += "[" + String(decoding: chunk, as: UTF8.self) + "]"
                }
            } catch let error as TransportError {
                failure = error
            }
            return (text, failure, base.sent.count, simulation.now.offset)
        }
    }

    @Test("a refused send never reaches the base and is certainly unsent")
    func refused() throws {
        let (text, error, sends, _) = try outcome(.refused(rate: 1))

        #expect(text == "")
        #expect(error?.code == .cannotConnect)
        #expect(error?.isCertainlyUnsent == true)
        #expect(sends == 0)
    }

    @Test("a reset or a malformed response sends first and is not marked unsent")
    func lost() throws {
        let reset = try outcome(.reset(rate: 1))
        let malformed = try outcome(.malformed(rate: 1))

        #expect(reset.error?.code == .connectionLost)
        #expect(malformed.error?.code == .protocolViolation)
        #expect([reset, malformed].allSatisfy { $0.error?.isCertainlyUnsent == false })
        #expect([reset, malformed].allSatisfy { $0.sends == 1 })
    }

    @Test("an injected status replaces the response without a send")
    func status() throws {
        let (text, error, sends, _) = try outcome(.status(503, rate: 1, body: "busy"))

        #expect(text == "503 [busy]")
        #expect(error == nil)
        #expect(sends == 0)
    }

    @Test("a truncated body ends at a point that the seed decides")
    func truncated() throws {
        let outcomes = try (0..<200).map {
            try outcome(.truncated(rate: 1, upTo: 10), seed: $0)
        }

        let lengths = Set(outcomes.map { $0.text.filter(\.isNumber).count - 3 })
        #expect(lengths == Set(0...10))
        #expect(outcomes.allSatisfy { $0.text.hasPrefix("200 ") })
        #expect(outcomes.allSatisfy { $0.error?.code == .connectionLost })
    }

    @Test("a slow body arrives whole, in pieces with pauses in virtual time")
    func slow() throws {
        let (text, error, _, end) = try outcome(
            .slow(rate: 1, pieces: 4, every: .seconds(3)),
            body: "0123456789"
        )

        #expect(text == "200 [0123][4567][89]")
        #expect(error == nil)
        #expect(end == .seconds(9))
    }

    @Test("a latency is within its range and varies with the seed")
    func latency() throws {
        let ends = try (0..<50).map {
            try outcome(.latency(rate: 1, .seconds(1)...(.seconds(3))), seed: $0).end
        }

        #expect(ends.allSatisfy { .seconds(1)...(.seconds(3)) ~= $0 })
        #expect(Set(ends).count > 40)
    }

    @Test("seed 42 injects the same faults into 10,000 calls every time")
    func golden() throws {
        func injections(rate: Double) throws -> Int {
            let events = RecordingEventSink()
            try Simulation.run(seed: 42) { simulation in
                let transport = try ChaosTransport<Int>(
                    over: ScriptedTransport { input, _ in input },
                    [.refused(rate: rate)]
                )
                for number in 0..<10_000 {
                    let call = Call(runtime: simulation.runtime, events: events)
                    _ = try? await transport.send(number, call: call)
                }
            }
            return events.names.count { $0 == .faultInjected }
        }

        let tenth = try injections(rate: 0.1)
        let none = try injections(rate: 0)
        #expect(tenth == 997)
        #expect(none == 0)
    }

    @Test("exclusive faults keep their rates, and each send has one at most")
    func distribution() throws {
        let events = RecordingEventSink()

        try Simulation.run(seed: 5) { simulation in
            let transport = try ChaosTransport(
                over: answering(""),
                [
                    .refused(rate: 0.1), .status(503, rate: 0.2), .reset(rate: 0.3),
                    .malformed(rate: 0), .latency(rate: 0.5, .seconds(1)),
                ]
            )
            for _ in 0..<10_000 {
                let call = Call(runtime: simulation.runtime, events: events)
                _ = try? await transport.send(target, call: call)
            }
        }

        let counts = events.events.reduce(into: [String: Int]()) {
            $0[$1.attributes["fault"]?.description ?? "", default: 0] += 1
        }
        let others = events.events.filter { $0.attributes["fault"] != .text("latency") }
        #expect(Set(counts.keys) == ["refused", "status", "reset", "latency"])
        #expect(abs((counts["refused"] ?? 0) - 1000) < 150)
        #expect(abs((counts["status"] ?? 0) - 2000) < 200)
        #expect(abs((counts["reset"] ?? 0) - 3000) < 250)
        #expect(abs((counts["latency"] ?? 0) - 5000) < 250)
        #expect(Set(others.map(\.call)).count == others.count)
    }

    @Test("with all rates 0, responses, time, randomness and events are the same")
    func identity() throws {
        struct Run: Equatable {
            var statuses: [Int] = []
            var numbers: [UInt64] = []
            var end = Duration.zero
            var timeline = ""
        }

        func run(seed: UInt64, chaos: Bool) throws -> Run {
            let events = RecordingEventSink()
            return try Simulation.run(seed: seed) { simulation in
                let base = ScriptedTransport<HTTP.Request> { _, call in
                    try await call.runtime.sleep(for: .milliseconds(1 + call.runtime.random() % 9))
                    return HTTP.Response(HTTP.Status(200 + Int(call.runtime.random() % 5)))
                }
                let transport: any Transport<HTTP.Request> =
                    chaos
                    ? try ChaosTransport(
                        over: base,
                        [
                            .latency(rate: 0, .seconds(5)), .refused(rate: 0), .reset(rate: 0),
                            .truncated(rate: 0), .slow(rate: 0), .malformed(rate: 0),
                            .status(500, rate: 0),
                        ]
                    ) : base
                var run = Run()
                for _ in 0..<5 {
                    let call = Call(runtime: simulation.runtime, events: events)
                    run.statuses.append(try await transport.send(target, call: call).status.code)
                    run.numbers.append(simulation.runtime.random())
                }
                run.end = simulation.now.offset
                run.timeline = events.timeline
                return run
            }
        }

        for seed in UInt64(0)..<100 {
            #expect(try run(seed: seed, chaos: true) == run(seed: seed, chaos: false))
        }
    }

    @Test("a custom fault can change the request")
    func ownFault() throws {
        let reply = try Simulation.run { simulation in
            let transport = try ChaosTransport<Int>(
                over: ScriptedTransport { input, _ in input },
                [ChaosFault("doubled", rate: 1) { input, _, send in try await send(input * 2) }]
            )
            return try await transport.send(4, call: Call(runtime: simulation.runtime))
        }

        #expect(reply == 8)
    }
}
