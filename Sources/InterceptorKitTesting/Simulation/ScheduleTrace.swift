/// What ran when, kept so small that every run can keep it.
struct ScheduleTrace: Sendable {
    enum Step {
        case task(UInt64)
        case timer(of: UInt64)
        case time(index: UInt64)
        case event(index: UInt64)
    }

    /// The most steps that are kept, some 16 bytes each.
    static let limit = 200_000

    private(set) var steps: [Step] = []
    private(set) var omitted = 0
    private(set) var times: [Duration] = []
    private(set) var events: [String] = []
    private(set) var names: [(number: UInt64, name: String)] = []
    // Who enqueued a task first; tasks' numbers rise, so the first time is known by the number.
    private(set) var starts: [(number: UInt64, starter: UInt64)] = []

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
