import InterceptorKit
import InterceptorKitTesting

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// One strategy in one scenario, with a number of clients and a seed, in virtual time.
struct LeagueRun: Sendable {
    let scenario: Scenario
    let clients: Int
    let seed: UInt64

    /// A call that will be made.
    private struct Arrival: Sendable {
        var time: Double
        var client: Int
        var isBroken: Bool
    }

    /// Runs a strategy.
    func score(of strategy: LeagueStrategy) throws -> Score {
        let arrivals = arrivals
        let tally = Tally(calls: arrivals.count)
        let backend = LeagueBackend(scenario, seed: seed, tally: tally)
        try Simulation.run(seed: seed, stepLimit: .max) { simulation in
            let runtime = simulation.runtime
            let setting = LeagueStrategy.Setting(backend: backend, clients: clients, seed: seed)
            let pipelines = try (0..<clients).map { _ in
                try Pipeline(strategy.chain(setting), transport: backend, runtime: runtime)
            }
            await withDiscardingTaskGroup { group in
                for (number, arrival) in arrivals.enumerated() {
                    let instant = Runtime.Instant(offset: .seconds(arrival.time))
                    try? await runtime.sleep(until: instant)
                    group.addTask {
                        await make(number, arrival, pipelines[arrival.client], runtime, tally)
                    }
                }
            }
        }
        return Score(tally, scenario, clients: clients)
    }

    private func make(
        _ number: Int,
        _ arrival: Arrival,
        _ pipeline: Pipeline<HTTP.Request>,
        _ runtime: Runtime,
        _ tally: Tally
    ) async {
        var call = Call(
            runtime: runtime,
            deadline: runtime.now.advanced(by: .seconds(Scenario.deadline))
        )
        call[CallNumber.self] = number
        call[IsBroken.self] = arrival.isBroken
        tally.begin(number, at: runtime.now.seconds)
        let result: Result<HTTP.Response, any Error>
        do {
            let request = HTTP.Request.get("https://service.example/")
            result = .success(try await pipeline.run(request, call: call))
        } catch {
            result = .failure(error)
        }
        tally.end(number, at: runtime.now.seconds, result)
    }

    /// The calls of the scenario: the same for every strategy.
    private var arrivals: [Arrival] {
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
}
