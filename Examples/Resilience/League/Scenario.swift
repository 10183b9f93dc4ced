/// A day of a service in the league: how it works, what goes wrong, and when.
///
/// Times are in seconds, rates in requests per second. All clients together make ``calls`` a second.
struct Scenario: Sendable {
    var name: String
    var summary: String
    /// Whether there is more load than capacity while the cause lasts.
    var isOverload = false
    /// When the cause begins and ends.
    var cause = 20.0..<40.0
    /// How long calls are made.
    var length = 70.0

    /// The calls that all clients make together.
    var calls = 40.0
    /// While the cause lasts, the load is so many times the usual one for a part of each period.
    var burst = Burst()
    /// The share of calls of a kind that always fails while the cause lasts.
    var brokenShare = 0.0

    /// The requests that the service works off.
    var capacity = 100.0
    /// The same while the cause lasts.
    var impairedCapacity = 100.0
    /// How long the capacity takes to come back to the usual one, from the cause's begin on.
    var rampUp = 0.0
    /// How many requests may wait; the service answers 503 to others at once.
    var queue = 150
    /// While the cause lasts, no work is done for a part of each period.
    var pause = Pause()
    /// Whether connections are refused while the cause lasts.
    var isDown = false
    /// While the cause lasts, the service takes so many requests and answers 429 with Retry-After to
    /// others; 0 for no such limit.
    var rateLimit = 0.0

    /// What a response takes besides the wait, and how much more at random.
    var latency = 0.04
    var jitter = 0.04
    /// The latency while the cause lasts.
    var impairedLatency = 0.04
    /// The share of responses that take 300 ms more.
    var slowShare = 0.0
    /// The share of requests that are never answered while the cause lasts.
    var hangShare = 0.0
    /// The share of requests that get a 503 at once: always, and while the cause lasts.
    var failShare = 0.0
    var impairedFailShare = 0.0

    /// Other calls to the same authority, which need nothing of what the service works off.
    var classes: [CallClass] = []
    /// While it lasts, no request of any kind is answered.
    var silence = 0.0..<0.0

    /// How long a call and an attempt may take, the same for all strategies.
    var limits = TimeLimits.short

    struct Burst: Sendable {
        var factor = 1.0
        var period = 10.0
        var length = 2.0
    }

    struct Pause: Sendable {
        var period = 10.0
        var length = 0.0
    }

    init(_ name: String, _ summary: String, _ change: (inout Scenario) -> Void = { _ in }) {
        self.name = name
        self.summary = summary
        change(&self)
    }
}

/// How long a call and an attempt may take, in seconds.
struct TimeLimits: Sendable, Hashable {
    var call: Double
    var attempt: Double

    /// Those of a service that answers fast.
    static let short = TimeLimits(call: 3, attempt: 0.5)
    /// The defaults of the standard chain, which most users have.
    static let standard = TimeLimits(call: 30, attempt: 10)
}

extension Scenario {
    /// The scenario with other limits, and a name that says so.
    func limited(by limits: TimeLimits) -> Scenario {
        var scenario = self
        scenario.limits = limits
        if limits != .short { scenario.name += " \(Int(limits.attempt))/\(Int(limits.call))" }
        return scenario
    }

    func isSilent(at time: Double) -> Bool { silence.contains(time) }

    /// When what goes wrong for all calls is over.
    var recovery: Double { silence.isEmpty ? cause.upperBound : silence.upperBound }

    func isImpaired(at time: Double) -> Bool { cause.contains(time) }

    /// The calls a second at a time.
    func load(at time: Double) -> Double {
        let isBurst =
            isImpaired(at: time) && burst.factor != 1
            && (time - cause.lowerBound).truncatingRemainder(dividingBy: burst.period)
                < burst.length
        return isBurst ? calls * burst.factor : calls
    }

    /// The requests a second that are worked off at a time.
    func capacity(at time: Double) -> Double {
        guard isImpaired(at: time) else { return capacity }
        if isDown { return 0 }
        let since = time - cause.lowerBound
        let isPaused =
            pause.length > 0
            && since.truncatingRemainder(dividingBy: pause.period) < pause.length
        if isPaused { return 0 }
        guard rampUp > 0 else { return impairedCapacity }
        return impairedCapacity + (capacity - impairedCapacity) * min(1, since / rampUp)
    }
}

extension Scenario {
    /// The scenarios of the table.
    static let all: [Scenario] = [
        Scenario("brown-out", "capacity falls from 100 to 20 a second") {
            $0.isOverload = true
            $0.impairedCapacity = 20
            $0.slowShare = 1 / 40
            $0.failShare = 1 / 50
            $0.impairedFailShare = 1 / 50
        },
        Scenario("outage", "connections are refused") { $0.isDown = true },
        Scenario("errors", "30 % of answers are a 503 at once, whatever the load") {
            $0.impairedFailShare = 0.3
        },
        Scenario("latency", "latency ×10, capacity as before") { $0.impairedLatency = 0.4 },
        Scenario("slow", "one answer in 40 takes 300 ms more") { $0.slowShare = 1 / 40 },
        Scenario("hangs", "1 % of requests are never answered") { $0.hangShare = 0.01 },
        Scenario("ramp-up", "capacity grows from 10 to 100 a second in 30 s") {
            $0.isOverload = true
            $0.cause = 20..<50
            $0.length = 80
            $0.impairedCapacity = 10
            $0.rampUp = 30
        },
        Scenario("rate-limit", "429 with Retry-After above 20 requests a second") {
            $0.rateLimit = 20
        },
        Scenario("pauses", "no work for 1 s in every 10") { $0.pause.length = 1 },
        Scenario("two-kinds", "half of the calls, on the same authority, always fail") {
            $0.brokenShare = 0.5
        },
        Scenario("bursts", "10 times the load for 2 s in every 10") {
            $0.isOverload = true
            $0.burst.factor = 10
        },
        Scenario("healthy", "nothing goes wrong"),
    ]
}
