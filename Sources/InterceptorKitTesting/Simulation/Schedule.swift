import InterceptorKit

/// Decides which of several possible steps comes next: the only source of order in a run.
struct Schedule: Sendable {
    /// One decision: the taken possibility and the number of possibilities.
    struct Choice: Sendable, Equatable {
        var taken: Int
        let count: Int
    }

    private enum Source {
        case drawn(SplitMix64)
        case given([Int])
    }

    private var source: Source

    /// The decisions of a given schedule so far. A drawn one follows from its seed.
    private(set) var choices: [Choice] = []

    /// Whether a given decision was not available.
    private(set) var isImpossible = false

    init(seed: UInt64) { source = .drawn(SplitMix64(seed: seed)) }

    /// Takes the given decisions and then always the first possibility.
    init(choices: [Int]) { source = .given(choices) }

    /// The decisions of a given schedule, as in `0.2.1`; `nil` for a drawn one.
    var text: String? {
        guard case .given = source else { return nil }
        return Schedule.text(of: choices.map { $0.taken })
    }

    // Trailing decisions for the first possibility are omitted: they are taken anyway.
    static func text(of choices: [Int]) -> String {
        let end = choices.lastIndex { $0 != 0 } ?? 0
        return choices.isEmpty ? "0" : choices[...end].map(String.init).joined(separator: ".")
    }

    /// Picks a position from 0 up to, but not including, `count`, which must be positive.
    mutating func next(below count: Int) -> Int {
        guard count > 1 else { return 0 }
        switch source {
        case .drawn(var generator):
            // `Int.random` is not used: its algorithm, and so every seed's run, may change with the library.
            let drawn = Int(generator.next().multipliedFullWidth(by: UInt64(count)).high)
            source = .drawn(generator)
            return drawn
        case .given(let given):
            var taken = choices.count < given.count ? given[choices.count] : 0
            if !(0..<count).contains(taken) {
                isImpossible = true
                taken = 0
            }
            choices.append(Choice(taken: taken, count: count))
            return taken
        }
    }
}
