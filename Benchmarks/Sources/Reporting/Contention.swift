/// How many repetitions a second come from a number of tasks that share one thing.
public enum Contention {
    private static let batch = 50

    /// - Parameters:
    ///   - tasks: The numbers of tasks to compare.
    ///   - rounds: How often each number has its turn.
    ///   - run: Repeats the work a number of times and returns that number.
    /// - Returns: Repetitions a second for each number of tasks, the median of the rounds.
    public static func throughput(
        tasks counts: [Int],
        rounds: Int,
        _ run: @escaping @Sendable (_ count: Int) async throws -> Int
    ) async throws -> [Double] {
        var figures = [[Double]](repeating: [], count: counts.count)
        for _ in 0..<rounds {
            for (index, count) in counts.enumerated() {
                figures[index].append(try await once(tasks: count, run))
            }
        }
        return figures.map(\.median)
    }

    private static func once(
        tasks: Int,
        _ run: @escaping @Sendable (Int) async throws -> Int
    ) async throws -> Double {
        let start = ContinuousClock.now
        let end = start.advanced(by: .milliseconds(200))
        let calls = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<tasks {
                group.addTask {
                    var calls = 0
                    while ContinuousClock.now < end {
                        calls += try await run(batch)
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
