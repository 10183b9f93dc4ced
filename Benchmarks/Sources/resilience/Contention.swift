import Reporting

/// How many calls a second go through one pipeline from a number of tasks.
enum Contention {
    private static let batch = 50

    /// - Returns: Calls a second, the median of some rounds in which every number of tasks has its turn.
    static func throughput(of row: Row, tasks counts: [Int], rounds: Int) async throws -> [Double] {
        var figures = [[Double]](repeating: [], count: counts.count)
        for _ in 0..<rounds {
            for (index, count) in counts.enumerated() {
                figures[index].append(try await once(row, tasks: count))
            }
        }
        return figures.map(\.median)
    }

    private static func once(_ row: Row, tasks: Int) async throws -> Double {
        let start = ContinuousClock.now
        let end = start.advanced(by: .milliseconds(200))
        let calls = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<tasks {
                group.addTask {
                    var calls = 0
                    while ContinuousClock.now < end {
                        calls += try await row.run(batch)
                        // Or few threads would only ever see few of the tasks.
                        await Task.yield()
                    }
                    return calls
                }
            }
            return try await group.reduce(0, +)
        }
        return Double(calls) / start.duration(to: .now).inSeconds
    }
}
