import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("OrderedDelivery")
struct OrderedDeliveryTests {
    @Test("delivers what comes after all before it was delivered")
    func again() async throws {
        let delivered = try await onEverySeed { simulation in
            let seen = Recorder<Int>()
            let delivery = OrderedDelivery<Int>("test", buffering: 8, on: simulation.runtime) {
                try await simulation.runtime.sleep(for: .seconds(1))
                seen.note($0)
            }
            for round in 0..<3 {
                delivery.add(2 * round)
                delivery.add(2 * round + 1)
                await delivery.flush()
                guard seen.entries.count == 2 * round + 2 else { throw Problem() }
            }
            return seen.entries
        }

        expectEqual(delivered, Array(0..<6))
    }

    @Test("bounds those that wait beside those taken for delivery")
    func bound() async throws {
        let (seen, missed) = try await onEverySeed(0..<50) { simulation in
            let seen = Recorder<Int>()
            let gate = Gate("delivery")
            let delivery = OrderedDelivery<Int>("test", buffering: 2, on: simulation.runtime) {
                try await gate.pass()
                seen.note($0)
            }
            for number in 0..<3 { delivery.add(number) }
            try await gate.waitForArrivals(1)
            for number in 3..<6 { delivery.add(number) }
            let missed = delivery.counts.missed
            gate.open()
            await delivery.flush()
            return (seen.entries, missed)
        }

        expectEqual(seen, [0, 1, 3, 4])
        expectEqual(missed, 2)
    }

    @Test("lets one wait although its limit says none", arguments: [0, -1, Int.min])
    func least(limit: Int) async {
        let seen = Recorder<Int>()
        let delivery = OrderedDelivery<Int>("test", buffering: limit, on: .live) { seen.note($0) }

        delivery.add(1)
        await delivery.flush()

        expectEqual(seen.entries, [1])
        expectEqual(delivery.counts.missed, 0)
    }

    @Test("goes on after an element that cannot be delivered, and counts it")
    func failures() async {
        let seen = Recorder<Int>()
        let delivery = OrderedDelivery<Int>("test", buffering: 8, on: .live) { number in
            if number % 2 == 0 { throw Problem() }
            seen.note(number)
        }

        for number in 0..<5 { delivery.add(number) }
        await delivery.flush()

        expectEqual(seen.entries, [1, 3])
        expectEqual(delivery.counts.failures, 3)
    }
}
