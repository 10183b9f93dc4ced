#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A call that will be made.
struct Arrival: Sendable {
    var number = 0
    var time: Double
    var client: Int
    var isBroken = false
    /// The class among those of its scenario; `nil` for the service's usual calls.
    var classIndex: Int?
    var numberInClass = 0

    /// The calls of a scenario, in order: the same for every strategy.
    static func all(in scenario: Scenario, clients: Int, seed: UInt64) -> [Arrival] {
        // Usual calls have the lowest numbers, so that other calls beside them change no draw.
        var arrivals = usual(in: scenario, clients: clients, seed: seed)
        for index in scenario.classes.indices {
            arrivals += of(scenario.classes[index], index, scenario, clients: clients, seed: seed)
        }
        for number in arrivals.indices { arrivals[number].number = number }
        return scenario.classes.isEmpty ? arrivals : arrivals.sorted { $0.time < $1.time }
    }

    private static func usual(in scenario: Scenario, clients: Int, seed: UInt64) -> [Arrival] {
        var arrivals: [Arrival] = []
        var time = 0.0
        while true {
            let number = UInt64(arrivals.count)
            let draw = { LeagueDraw.fraction(seed, number, 0, $0) }
            // Callers that know nothing of each other: the gaps between them are exponential.
            time += -log(1 - draw(5)) / scenario.load(at: time)
            guard time < scenario.length else { return arrivals }
            arrivals.append(
                Arrival(
                    time: time,
                    client: min(Int(draw(6) * Double(clients)), clients - 1),
                    isBroken: draw(7) < scenario.brokenShare
                )
            )
        }
    }

    private static func of(
        _ group: CallClass,
        _ index: Int,
        _ scenario: Scenario,
        clients: Int,
        seed: UInt64
    ) -> [Arrival] {
        var arrivals: [Arrival] = []
        var time = 0.0
        while true {
            let number = arrivals.count
            let draw = { LeagueDraw.fraction(seed, UInt64(number), UInt64(index) + 1000, $0) }
            switch group.pace {
            case .random(let rate): time += -log(1 - draw(5)) / rate
            case .every(let seconds, let count, let start):
                time = start + Double(number / count) * seconds
            }
            guard time < scenario.length else { return arrivals }
            arrivals.append(
                Arrival(
                    time: time,
                    client: min(Int(draw(6) * Double(clients)), clients - 1),
                    classIndex: index,
                    numberInClass: number
                )
            )
        }
    }
}
