/// What is done to one call, drawn from the run's seed and the call's number.
struct CallPlan: Sendable {
    enum Moment: Sendable {
        /// The task is cancelled before it sends, by itself.
        case beforeSending
        /// The task is cancelled while it starts, from outside.
        case whileStarting
        /// From outside, after so many microseconds.
        case after(microseconds: Int)
        /// From outside, as its last bytes are there; of a small body with its head.
        case atCompletion
        /// By itself, after so many bytes of the body.
        case inBody(bytes: Int)
        /// Not cancelled, but its body is released after so many bytes.
        case dropped(bytes: Int)
    }

    let moment: Moment
    let isLarge: Bool

    /// Draws a plan: one body of four is large.
    /// - Parameter size: The bytes of a large body.
    init(seed: UInt64, number: Int, size: Int) {
        var random = SplitMix(seed: seed &* 0x1_0000_0001 &+ UInt64(number))
        isLarge = random.next(below: 4) == 0
        moment =
            switch random.next(below: 8) {
            case 0: .beforeSending
            case 1: .whileStarting
            case 2, 3, 4:
                // Every order of magnitude from 8 us to 65 ms alike: what a call takes is among them.
                .after(microseconds: (8 << random.next(below: 13)) + random.next(below: 8))
            case 5: .atCompletion
            case 6: .inBody(bytes: random.next(below: isLarge ? size : 1))
            default: .dropped(bytes: random.next(below: isLarge ? size : 1))
            }
    }
}

/// A repeatable sequence of numbers (SplitMix64).
private struct SplitMix {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    private mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func next(below bound: Int) -> Int { Int(next() % UInt64(bound)) }
}
