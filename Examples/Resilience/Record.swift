import InterceptorKit

/// What happened in a run, second by second, read from its events alone.
struct Record: Sendable, Hashable {
    /// A second of the run.
    struct Second: Sendable, Hashable {
        var offered = 0
        var sends = 0
        var successes = 0
        var failures = 0
    }

    /// The breaker's states.
    enum Breaker: String, Sendable, Hashable, CaseIterable {
        case closed
        case halfOpen = "half-open"
        case open

        init?(_ event: Event) {
            switch event.name {
            case .circuitClosed: self = .closed
            case .circuitHalfOpened: self = .halfOpen
            case .circuitOpened: self = .open
            default: return nil
            }
        }
    }

    /// The seconds in which calls were made; what ended later counts for the sums alone.
    private(set) var seconds: [Second]
    private var later = Second()
    /// When the breaker changed, in seconds, and to what; empty without one.
    private(set) var breaker: [Change<Breaker>] = []
    /// What was left of the retry budget; empty without one.
    private(set) var budget: [Change<Double>] = []
    /// The numbers of the calls that succeeded, which every strategy is given at the same times.
    private var answered: Set<Int> = []
    /// When calls succeeded, and how long they took.
    private(set) var latencies: [Change<Duration>] = []

    struct Change<Value: Sendable & Hashable>: Sendable, Hashable {
        var second: Double
        var value: Value
    }

    init(_ events: [Event], length: Duration) {
        seconds = Array(repeating: Second(), count: Int(length / .seconds(1)))
        for event in events { take(event) }
    }

    private mutating func take(_ event: Event) {
        let instant = event.instant.offset / .seconds(1)
        switch event.name {
        case .callOffered: count(instant) { $0.offered += 1 }
        case .entered where event.source == "Backend": count(instant) { $0.sends += 1 }
        case .callCounted:
            guard case .duration(let duration) = event.attributes["success"] else {
                return count(instant) { $0.failures += 1 }
            }
            count(instant) { $0.successes += 1 }
            if case .number(let number) = event.attributes["number"] { answered.insert(number) }
            latencies.append(Change(second: instant, value: duration))
        case .budgetSampled:
            guard case .number(let hundredths) = event.attributes["hundredths"] else { return }
            budget.append(Change(second: instant, value: Double(hundredths) / 100))
        default:
            if let state = Breaker(event) { breaker.append(Change(second: instant, value: state)) }
        }
    }

    private mutating func count(_ instant: Double, _ change: (inout Second) -> Void) {
        let index = Int(instant)
        if index < seconds.count { change(&seconds[index]) } else { change(&later) }
    }
}

extension Record {
    var offered: Int { sum(\.offered) }
    var sends: Int { sum(\.sends) }
    var successes: Int { sum(\.successes) }

    private func sum(_ path: KeyPath<Second, Int>) -> Int {
        seconds.reduce(later[keyPath: path]) { $0 + $1[keyPath: path] }
    }

    /// The share of calls that succeeded.
    var availability: Double { offered == 0 ? 0 : Double(successes) / Double(offered) }

    /// The share of the calls that succeeded without a strategy and fail with this one.
    func harm(beside bare: Record) -> Double {
        let lost = bare.answered.subtracting(answered).count
        return bare.answered.isEmpty ? 0 : Double(lost) / Double(bare.answered.count)
    }

    /// Sends for each call.
    var amplification: Double { offered == 0 ? 0 : Double(sends) / Double(offered) }

    /// What all but one in a hundred calls took at most that succeeded in some seconds; `nil` for fewer
    /// than a hundred.
    func latency99(in seconds: Range<Double>) -> Duration? {
        let times = latencies.filter { seconds.contains($0.second) }.map(\.value).sorted()
        return times.count < 100 ? nil : times[times.count * 99 / 100]
    }

    /// How long after a second nineteen in twenty calls of five seconds on end succeed again; `nil` for
    /// not in this run.
    func recovery(after end: Int) -> Int? {
        (end..<max(end, seconds.count - 5)).first { start in
            let window = seconds[start..<(start + 5)]
            let offered = window.reduce(0) { $0 + $1.offered }
            let successes = window.reduce(0) { $0 + $1.successes }
            return offered > 0 && Double(successes) >= 0.95 * Double(offered)
        }
        .map { $0 - end }
    }
}

extension Event.Name {
    /// A caller made a call.
    static let callOffered: Self = "example.call_offered"
    /// A call ended: its `number`, and `success`, how long it took, if it was one.
    static let callCounted: Self = "example.call_counted"
    /// The retry budget was looked at: `hundredths`.
    static let budgetSampled: Self = "example.budget_sampled"
}
