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

    /// Runs the same world without a strategy, which others are measured by.
    func bare() throws -> Tally { try tally(of: .bare) }

    /// Runs a strategy.
    /// - Parameter bare: What ``bare()`` returned, if it is there.
    func score(of strategy: LeagueStrategy, beside bare: Tally? = nil) throws -> Score {
        let bare = try bare ?? self.bare()
        let tally = strategy.kind == .bare ? bare : try tally(of: strategy)
        return Score(tally, scenario, bare: bare)
    }

    private func tally(of strategy: LeagueStrategy) throws -> Tally {
        let arrivals = Arrival.all(in: scenario, clients: clients, seed: seed)
        let tally = Tally(calls: arrivals.count)
        let backend = LeagueBackend(scenario, seed: seed, tally: tally)
        try Simulation.run(seed: seed, stepLimit: .max) { simulation in
            let runtime = simulation.runtime
            let setting = LeagueStrategy.Setting(backend: backend, clients: clients, seed: seed)
            let pipelines = try (0..<clients).map { _ in
                try Pipeline(strategy.chain(setting), transport: backend, runtime: runtime)
            }
            await withDiscardingTaskGroup { group in
                for arrival in arrivals {
                    let instant = Runtime.Instant(offset: .seconds(arrival.time))
                    try? await runtime.sleep(until: instant)
                    group.addTask {
                        await make(arrival, pipelines[arrival.client], runtime, tally)
                    }
                }
            }
        }
        return tally
    }

    private func make(
        _ arrival: Arrival,
        _ pipeline: Pipeline<HTTP.Request>,
        _ runtime: Runtime,
        _ tally: Tally
    ) async {
        let number = arrival.number
        var call = Call(
            runtime: runtime,
            deadline: runtime.now.advanced(by: .seconds(scenario.limits.call))
        )
        call[CallNumber.self] = number
        call[IsBroken.self] = arrival.isBroken
        call[ClassIndex.self] = arrival.classIndex
        call[NumberInClass.self] = arrival.numberInClass
        let isIndependent = arrival.classIndex != nil
        tally.begin(number, at: runtime.now.seconds, isIndependent: isIndependent)
        let result: Result<HTTP.Response, any Error>
        do {
            let path = arrival.classIndex.map { scenario.classes[$0].name } ?? ""
            let request = HTTP.Request.get("https://service.example/\(path)")
            result = .success(try await pipeline.run(request, call: call))
        } catch {
            result = .failure(error)
        }
        let answered = runtime.now.seconds
        // What is in memory takes no time to read.
        let isRead = (try? await result.get().body.collect()) != nil
        tally.end(number, at: answered, result, isRead: isRead)
    }
}
