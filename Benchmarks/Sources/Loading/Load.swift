import ProcessFigures
import Reporting

/// So many requests for one URL at any moment: each answer is followed by the next request.
public struct Load: Sendable, Hashable {
    /// What figures are reported under.
    public let name: String
    /// What is asked for.
    public let url: String
    /// The bytes of each answer.
    public let size: Int
    /// How many requests are under way.
    public let inFlight: Int

    /// Describes a load.
    public init(_ name: String, url: String, size: Int, inFlight: Int) {
        self.name = name
        self.url = url
        self.size = size
        self.inFlight = inFlight
    }

    /// Puts it on for a time; requests under way at its end are finished and counted.
    public func run(on fetcher: Fetcher, for duration: Duration) async throws -> Sample {
        let fetch = try fetcher.prepare(url)
        let processorTime = CPUTime.seconds()
        let start = ContinuousClock.now
        let end = start + duration
        let latencies = try await withThrowingTaskGroup(of: [Double].self) { group in
            for _ in 0..<inFlight {
                group.addTask { try await work(fetch, by: fetcher, until: end) }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        return Sample(
            seconds: start.duration(to: .now).inSeconds,
            processorSeconds: CPUTime.seconds() - processorTime,
            latencies: latencies
        )
    }

    private func work(
        _ fetch: Fetcher.Fetch,
        by fetcher: Fetcher,
        until end: ContinuousClock.Instant
    ) async throws -> [Double] {
        var latencies: [Double] = []
        var start = ContinuousClock.now
        repeat {
            let count = try await fetch()
            guard count == size else {
                throw UnexpectedAnswer("\(fetcher.name) got \(count) bytes of \(size) from \(url).")
            }
            let now = ContinuousClock.now
            latencies.append(start.duration(to: now).inSeconds)
            start = now
        } while start < end
        return latencies
    }
}
