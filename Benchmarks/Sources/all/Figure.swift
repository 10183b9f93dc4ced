import Reporting

/// What is measured, in which unit, and what it should come to.
struct Figure: Sendable {
    let name: String
    let unit: Unit
    let goal: Goal

    /// Whether a value is as it should be; `nil` if the goal is not a number.
    func isMet(by value: Double) -> Bool? {
        switch goal {
        case .atMost(let most): unit.rounded(value) <= most
        case .atLeast(let least): unit.rounded(value) >= least
        case .words: nil
        }
    }

    /// By what part a value is worse than another one; negative if it is better.
    func worsening(from last: Double, to value: Double) -> Double {
        let (last, value) = (unit.rounded(last), unit.rounded(value))
        let change = if case .atLeast = goal { last - value } else { value - last }
        return change == 0 ? 0 : change / last.magnitude
    }

    /// The goal as it is shown.
    var goalText: String {
        switch goal {
        case .atMost(let most): "<= \(unit.short(most))"
        case .atLeast(let least): ">= \(unit.short(least))"
        case .words(let words): words
        }
    }
}

/// What a value should come to.
enum Goal: Sendable {
    case atMost(Double)
    case atLeast(Double)
    case words(String)
}

/// What a value counts. It is judged as it is shown, so that none misses a goal that it seems to meet.
enum Unit: String, Sendable {
    case ratio = ""
    case nanoseconds = " ns"
    case microseconds = " us"
    case allocations = " allocations"
    case mebibytes = " MiB"
    case perSecond = " a second"

    private var digits: Int {
        switch self {
        case .ratio, .microseconds, .mebibytes: 2
        case .allocations: 1
        case .nanoseconds, .perSecond: 0
        }
    }

    func rounded(_ value: Double) -> Double { Double(value.text(digits: digits)) ?? value }

    func text(_ value: Double) -> String { value.text(digits: digits) + rawValue }

    /// A goal, which has no more digits than it needs.
    func short(_ value: Double) -> String {
        let digits = (0..<digits).first { Double(value.text(digits: $0)) == value } ?? digits
        return value.text(digits: digits) + rawValue
    }
}
