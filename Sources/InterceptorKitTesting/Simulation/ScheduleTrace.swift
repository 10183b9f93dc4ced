import InterceptorKit

/// The steps of a run, kept so small that every run can keep them.
struct ScheduleTrace: Sendable {
    private enum Step {
        case task(UInt64)
        case timer(of: UInt64)
        case time(index: UInt64)
        case event(index: UInt64)
    }

    /// The largest number of steps kept, some 16 bytes each.
    private static let limit = 200_000

    private var steps: [Step] = []
    private var omitted = 0
    private var times: [Duration] = []
    private var events: [String] = []
    private var names: [(number: UInt64, name: String)] = []
    // The task that enqueued each new task; tasks' numbers rise, so a higher number identifies a new one.
    private var starts: [(number: UInt64, starter: UInt64)] = []

    mutating func enqueued(_ number: UInt64) {
        if number > starts.last?.number ?? 0 {
            starts.append((number, ConcurrencyRuntime.currentNumber))
        }
    }

    mutating func began(_ number: UInt64) { append(.task(number)) }

    mutating func fired(of number: UInt64) { append(.timer(of: number)) }

    mutating func reached(_ time: Duration) {
        if steps.count < Self.limit { times.append(time) }
        append(.time(index: UInt64(times.count - 1)))
    }

    mutating func recorded(_ event: String) {
        if steps.count < Self.limit { events.append(event) }
        append(.event(index: UInt64(events.count - 1)))
    }

    mutating func named(_ number: UInt64, _ name: String) { names.append((number, name)) }

    private mutating func append(_ step: Step) {
        guard steps.count < Self.limit else {
            omitted += 1
            return
        }
        steps.append(step)
    }
}

extension ScheduleTrace {
    /// Every step on a line of its own, with its virtual time.
    ///
    /// Tasks are identified by their names, if known, and by numbers that count the tasks of this run in the order in
    /// which they were started; nothing depends on the process.
    var lines: [String] {
        let labels = TaskNumbers(self)
        var lines: [String] = []
        var now = Duration.zero
        for step in steps {
            switch step {
            case .task(0): lines.append("\(now.formattedSeconds) an actor's turn, or a yield's")
            case .task(let number): lines.append("\(now.formattedSeconds) \(labels[number])")
            case .timer(let number):
                lines.append("\(now.formattedSeconds) wakes \(labels[number])")
            case .time(let index): now = times[Int(index)]
            case .event(let index): lines.append("\(now.formattedSeconds) - \(events[Int(index)])")
            }
        }
        if omitted > 0 { lines.append("… and \(omitted) more steps") }
        return lines
    }

    /// Returns the label of a task, as in `task 3 "refresh"`.
    func label(of number: UInt64) -> String { TaskNumbers(self)[number] }

    private struct TaskNumbers {
        private let ranks: [UInt64: Int]
        private let names: [UInt64: String]
        private let starters: [UInt64: UInt64]

        init(_ trace: ScheduleTrace) {
            var numbers = Set(trace.starts.map { $0.number })
            for step in trace.steps { if case .task(let number) = step { numbers.insert(number) } }
            numbers.remove(0)
            ranks = Dictionary(
                uniqueKeysWithValues: numbers.sorted().enumerated().map { ($1, $0 + 1) }
            )
            names = Dictionary(trace.names.map { ($0.number, $0.name) }) { first, _ in first }
            starters = Dictionary(trace.starts.map { ($0.number, $0.starter) }) { first, _ in
                first
            }
        }

        subscript(number: UInt64) -> String {
            guard let rank = ranks[number] else { return "somebody outside" }
            if let name = names[number] { return "task \(rank) \"\(name)\"" }
            guard let starter = starters[number], let rankOfStarter = ranks[starter] else {
                return "task \(rank)"
            }
            return "task \(rank) (of \(rankOfStarter))"
        }
    }
}
