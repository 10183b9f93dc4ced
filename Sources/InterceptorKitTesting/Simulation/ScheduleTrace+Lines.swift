import InterceptorKit

extension ScheduleTrace {
    /// Every step on a line of its own, with its virtual time.
    ///
    /// Tasks are called by their names, if known, and by numbers that count the tasks of this run in
    /// the order they were started; nothing depends on the process.
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

    /// What a task is called, as in `task 3 "refresh"`.
    func label(of number: UInt64) -> String { TaskNumbers(self)[number] }

    /// The tasks' labels by their process-wide numbers.
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
