import Expectations
import InterceptorKit
import InterceptorKitFaults
import InterceptorKitTesting
import Testing

@Suite("ChaosPlan")
struct ChaosPlanTests {
    @Test(
        "a rate outside 0 to 1 is refused with its position",
        arguments: [-0.1, 1.1, .nan, .infinity]
    )
    func rates(rate: Double) {
        let problem = chaosError([.refused(rate: 0.1), .reset(rate: rate)])

        expectEqual(problem?.description.hasPrefix("Fault 2 (reset).rate is \(rate)"), true)
    }

    @Test("rates of exclusive faults are refused when they add up to more than 1")
    func sum() {
        let problem = chaosError([.refused(rate: 0.5), .reset(rate: 0.5), .status(500, rate: 0.25)])

        expectEqual(
            problem?.description.hasPrefix(
                "The sum of the rates of refused, reset, status is 1.25"
            ),
            true
        )
        expectEqual(
            chaosError([.refused(rate: 0.7), .reset(rate: 0.2), .malformed(rate: 0.1)]),
            nil
        )
        expectEqual(chaosError([.refused(rate: 1), .latency(rate: 1, .seconds(1))]), nil)
    }

    @Test("seed 42 injects the same faults into 10,000 calls every time")
    func golden() throws {
        func injections(rate: Double) throws -> Int {
            let events = RecordingEventSink()
            try Simulation.run(seed: 42) { simulation in
                let pipeline = try faulty(
                    ScriptedTransport<Int> { input, _ in input },
                    [.refused(rate: rate)]
                )
                for number in 0..<10_000 {
                    let call = Call(runtime: simulation.runtime, events: events)
                    _ = try? await pipeline.run(number, call: call)
                }
            }
            return events.names.count { $0 == .faultInjected }
        }

        let tenth = try injections(rate: 0.1)
        let none = try injections(rate: 0)
        expectEqual(tenth, 997)
        expectEqual(none, 0)
    }

    @Test("exclusive faults keep their rates, and each send has one at most")
    func distribution() throws {
        let events = RecordingEventSink()

        try Simulation.run(seed: 5) { simulation in
            let pipeline = try faulty(
                answering(""),
                [
                    .refused(rate: 0.1), .status(503, rate: 0.2), .reset(rate: 0.3),
                    .malformed(rate: 0), .latency(rate: 0.5, .seconds(1)),
                ]
            )
            for _ in 0..<10_000 {
                let call = Call(runtime: simulation.runtime, events: events)
                _ = try? await pipeline.run(chaosTarget, call: call)
            }
        }

        let injected = events.events.filter { $0.name == .faultInjected }
        let counts = injected.reduce(into: [String: Int]()) {
            $0[$1.attributes["fault"]?.description ?? "", default: 0] += 1
        }
        let others = injected.filter { $0.attributes["fault"] != .text("latency") }
        expectEqual(Set(counts.keys), ["refused", "status", "reset", "latency"])
        expectTrue(abs((counts["refused"] ?? 0) - 1000) < 150)
        expectTrue(abs((counts["status"] ?? 0) - 2000) < 200)
        expectTrue(abs((counts["reset"] ?? 0) - 3000) < 250)
        expectTrue(abs((counts["latency"] ?? 0) - 5000) < 250)
        expectEqual(Set(others.map(\.call)).count, others.count)
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
                let none: [ChaosFault<HTTP.Request>] = [
                    .latency(rate: 0, .seconds(5)), .refused(rate: 0), .reset(rate: 0),
                    .truncated(rate: 0), .slow(rate: 0), .malformed(rate: 0),
                    .status(500, rate: 0),
                ]
                let pipeline = try chaos ? faulty(base, none) : Pipeline(transport: base) {}
                var run = Run()
                for _ in 0..<5 {
                    let call = Call(runtime: simulation.runtime, events: events)
                    run.statuses.append(
                        try await pipeline.run(chaosTarget, call: call).status.code
                    )
                    run.numbers.append(simulation.runtime.random())
                }
                run.end = simulation.now.offset
                run.timeline = events.timeline
                return run
            }
        }

        for seed in UInt64(0)..<100 {
            try expectEqual(run(seed: seed, chaos: true), run(seed: seed, chaos: false))
        }
    }
}
