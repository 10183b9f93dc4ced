import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("EventObserver")
struct EventObserverTests {
    @Test("delivers every event in order, outside the call")
    func order() async throws {
        try await onEverySeed { simulation in
            let seen = Recorder<Event.Name>()
            let observer = EventObserver(runtime: simulation.runtime) { event in
                try await simulation.runtime.sleep(for: .seconds(1))
                seen.note(event.name)
            }
            let pipeline = try Pipeline(
                transport: Echo<Int>(),
                runtime: simulation.runtime,
                events: observer
            ) { Adding(amount: 1) }

            _ = try await pipeline.run(1)
            let duringCall = seen.entries
            await observer.flush()

            try requireEqual(duringCall, [])
            try requireEqual(simulation.now.offset, .seconds(6))
            let names: [Event.Name] = [.callBegan, .entered, .entered, .left, .left, .callEnded]
            try requireEqual(seen.entries, names)
        }
    }

    @Test("counts the failures of an observer that throws, without other effect")
    func throwing() async throws {
        let observer = EventObserver { _ in throw Problem() }
        let pipeline = try Pipeline(transport: Echo<Int>(), events: observer) {}

        try await expectEqual(pipeline.run(7), 7)
        await observer.flush()

        expectEqual(observer.failures, 4)
        expectEqual(observer.missed, 0)
    }

    @Test("delays no call for an observer that hangs, and bounds its events")
    func stuck() async throws {
        let gate = Gate()
        let observer = EventObserver(buffering: 3) { _ in try await gate.pass() }
        let pipeline = try Pipeline(transport: Echo<Int>(), events: observer) {}

        for number in 0..<100 { try await expectEqual(pipeline.run(number), number) }

        expectTrue(observer.missed > 380)
        gate.open()
        await observer.flush()
    }
}
