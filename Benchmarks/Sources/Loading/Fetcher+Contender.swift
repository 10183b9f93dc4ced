import ProcessFigures
import Reporting

extension Fetcher: Contender {
    /// As many tasks as are to be in flight, each of which sends again when it has its answer. What is
    /// under way at the end is finished and counted.
    public func bear(_ load: Load, for duration: Duration) async throws -> Sample {
        let fetch = try prepare(load.url)
        let before = ProcessUsage.current()
        let start = ContinuousClock.now
        let end = start + duration
        let latencies = try await withThrowingTaskGroup(of: [Double].self) { group in
            for _ in 0..<load.inFlight {
                group.addTask { try await work(fetch, for: load, until: end) }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        return Sample(
            latencies,
            seconds: start.duration(to: .now).inSeconds,
            processorSeconds: ProcessUsage.current().since(before).processorSeconds
        )
    }

    private func work(
        _ fetch: Fetch,
        for load: Load,
        until end: ContinuousClock.Instant
    ) async throws -> [Double] {
        var latencies: [Double] = []
        var start = ContinuousClock.now
        repeat {
            let count = try await fetch()
            guard count == load.size else {
                throw UnexpectedAnswer(
                    "\(name) got \(count) bytes of \(load.size) from \(load.url)."
                )
            }
            let now = ContinuousClock.now
            latencies.append(start.duration(to: now).inSeconds)
            start = now
        } while start < end
        return latencies
    }
}
