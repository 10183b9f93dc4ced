/// Measures several contenders under several loads in turns, so that a disturbance of the machine meets
/// all of them alike.
public struct Comparison: Sendable {
    private let contenders: [any Contender]
    private let rounds: Int
    private let stretch: Duration

    /// Plans a comparison.
    /// - Parameters:
    ///   - contenders: What to compare.
    ///   - rounds: How often each is measured under each load.
    ///   - stretch: For how long each time.
    public init(_ contenders: [any Contender], rounds: Int, stretch: Duration) {
        self.contenders = contenders
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
            for contender in contenders { _ = try await contender.bear(load, for: stretch / 8) }
            let part = try await measure(load)
            report(part)
            compared.append(part)
        }
        return compared
    }

    private func measure(_ load: Load) async throws -> Compared {
        var samples = [[Sample]](repeating: [], count: contenders.count)
        for round in 0..<rounds {
            // Each begins in its turn, so that none always follows the same one.
            for place in contenders.indices {
                let index = (place + round) % contenders.count
                samples[index].append(try await contenders[index].bear(load, for: stretch))
            }
        }
        return Compared(
            load: load,
            rows: zip(contenders.map(\.name), samples).map(Compared.Row.init)
        )
    }
}
