/// Measures several fetchers under several loads in turns, so that a disturbance of the machine meets
/// all of them alike.
public struct Comparison: Sendable {
    private let fetchers: [Fetcher]
    private let rounds: Int
    private let stretch: Duration

    /// Plans a comparison.
    /// - Parameters:
    ///   - fetchers: What to compare.
    ///   - rounds: How often each is measured under each load.
    ///   - stretch: For how long each time.
    public init(_ fetchers: [Fetcher], rounds: Int, stretch: Duration) {
        self.fetchers = fetchers
        self.rounds = rounds
        self.stretch = stretch
    }

    /// Measures under each load, after a short one to warm up.
    /// - Parameter report: Told of each load's figures as soon as they are there.
    public func run(
        _ loads: [Load],
        report: (Compared) -> Void
    ) async throws -> [Compared] {
        var compared: [Compared] = []
        for load in loads {
            for fetcher in fetchers { _ = try await load.run(on: fetcher, for: stretch / 8) }
            let part = try await measure(load)
            report(part)
            compared.append(part)
        }
        return compared
    }

    private func measure(_ load: Load) async throws -> Compared {
        var samples = [[Sample]](repeating: [], count: fetchers.count)
        for round in 0..<rounds {
            // Each begins in its turn, so that none always follows the same one.
            for place in fetchers.indices {
                let index = (place + round) % fetchers.count
                samples[index].append(try await load.run(on: fetchers[index], for: stretch))
            }
        }
        return Compared(load: load, rows: zip(fetchers.map(\.name), samples).map(Compared.Row.init))
    }
}
