extension Scenario {
    /// The scenarios of the table in which calls are of several classes: each alone, beside calls that
    /// overload the service, and with a silence of 25 s; with short limits and with the defaults.
    static let withClasses: [Scenario] = classScenarios.flatMap { scenario in
        // In a run of hours, neither of them says more.
        let isLong = scenario.length > 600
        let all = isLong ? [scenario] : [scenario, scenario.besideOverload, scenario.withSilence]
        return all.flatMap { [$0, $0.limited(by: .standard)] }
    }

    /// The scenario beside calls that the service has no capacity for; its classes need none of it.
    var besideOverload: Scenario {
        var scenario = self
        scenario.name += " beside overload"
        scenario.isOverload = true
        scenario.calls = 40
        scenario.impairedCapacity = 20
        return scenario
    }

    /// The scenario with a server that answers nothing for 25 s.
    var withSilence: Scenario {
        var scenario = self
        scenario.name += " and silence"
        let begin = scenario.cause.lowerBound + 20
        scenario.silence = begin..<(begin + 25)
        return scenario
    }

    private init(_ name: String, _ summary: String, length: Double = 90, classes: [CallClass]) {
        self.init(name, summary) { scenario in
            scenario.calls = 0
            scenario.cause = 1..<(length - Score.aftermath)
            scenario.length = length
            scenario.classes = classes
        }
    }

    private static let classScenarios: [Scenario] = [
        Scenario(
            "tenants",
            "of ten tenants, one gets 429 with Retry-After, and one 429 without",
            classes: tenants
        ),
        Scenario(
            "slow-route",
            "one route takes longer than an attempt may, one takes 8 s, and others are fast",
            length: 130,
            classes: [
                CallClass("slow") {
                    $0.latency = 20; $0.pace = .random(1.0 / 30)
                },
                CallClass("report") {
                    $0.latency = 8; $0.pace = .random(1.0 / 60)
                },
                CallClass("fast") { $0.pace = .random(5) },
                CallClass("rare") { $0.pace = .every(5) },
            ]
        ),
        Scenario(
            "busy-slow-route",
            "one route takes about as long as an attempt may, 20 times a second",
            length: 60,
            classes: [
                CallClass("slow") {
                    $0.latency = 0.5; $0.pace = .random(20)
                },
                CallClass("slower") {
                    $0.latency = 10; $0.pace = .random(2)
                },
                CallClass("fast") { $0.pace = .random(1) },
            ]
        ),
        Scenario(
            "long-poll",
            "a long poll and a download beside short calls",
            classes: [
                CallClass("poll") {
                    $0.latency = 25; $0.pace = .every(26)
                },
                CallClass("download") {
                    $0.pace = .every(20)
                    $0.download = CallClass.Download(chunks: 40, bytesPerChunk: 16_384, gap: 1)
                },
                CallClass("short") { $0.pace = .random(5) },
            ]
        ),
        Scenario(
            "failing-route",
            "three routes always fail, with 503, with 500 and by a reset",
            classes: [
                failing("unavailable", .status(503)), failing("broken", .status(500)),
                failing("reset", .reset), CallClass("well") { $0.pace = .random(5) },
            ]
        ),
        Scenario(
            "one-a-minute",
            "one call a minute: now and then a 503, a 429, a timeout, or two in a row",
            length: 1810,
            classes: [isolated(every: 60)]
        ),
        Scenario(
            "one-an-hour",
            "the same, with one call an hour",
            length: 108_010,
            classes: [isolated(every: 3600)]
        ),
        Scenario(
            "from-nothing",
            "a client whose first calls are slow",
            classes: [
                CallClass("first") {
                    $0.latency = 60; $0.pace = .every(1000, count: 2)
                },
                CallClass("next") { $0.pace = .every(1, from: 0.5) },
            ]
        ),
        Scenario(
            "timer",
            "50 calls at once every 30 s, one in 50 of which is never answered",
            length: 130,
            classes: [
                CallClass("timer") {
                    $0.pace = .every(30, count: 50)
                    $0.troubles = [CallClass.Trouble(failure: .silence, share: 0.02)]
                },
                CallClass("other") { $0.pace = .random(1) },
            ]
        ),
        Scenario(
            "regions",
            "two regions behind one authority, of which one is ten times as far",
            classes: [
                CallClass("call") {
                    $0.pace = .random(10)
                    $0.latency = 0.03
                    $0.otherLatency = 0.3
                    $0.otherShare = 0.3
                }
            ]
        ),
        Scenario(
            "near-limit",
            "one response in 100 takes about as long as an attempt may",
            classes: [
                CallClass("call") {
                    $0.pace = .random(10); $0.latency = 0.12; $0.spread = 0.31
                },
                CallClass("long") {
                    $0.pace = .random(2); $0.latency = 2.5; $0.spread = 0.31
                },
            ]
        ),
    ]

    private static var tenants: [CallClass] {
        (1...8).map { CallClass("tenant-\($0)") { $0.pace = .random(1) } } + [
            CallClass("throttled") {
                $0.pace = .random(1)
                $0.troubles = [CallClass.Trouble(failure: .status(429, retryAfter: 30))]
            },
            CallClass("throttled-silently") {
                $0.pace = .random(1)
                $0.troubles = [CallClass.Trouble(failure: .status(429))]
            },
        ]
    }

    private static func failing(_ name: String, _ failure: CallClass.Failure) -> CallClass {
        CallClass(name) {
            $0.pace = .random(0.5)
            $0.troubles = [CallClass.Trouble(failure: failure)]
        }
    }

    /// Of twelve calls, one meets each kind of failure, and two meet it twice.
    private static func isolated(every seconds: Double) -> CallClass {
        let failures: [(CallClass.Failure, attempts: Int)] = [
            (.status(503), 1), (.status(429), 1), (.silence, 1), (.status(503), 2),
            (.status(429, retryAfter: 1), 2), (.silence, 2),
        ]
        return CallClass("call") {
            $0.pace = .every(seconds)
            $0.troubles = failures.enumerated().map { index, failure in
                CallClass.Trouble(
                    failure: failure.0,
                    oneCallIn: 12,
                    attempts: failure.attempts,
                    offset: 2 * index + 1
                )
            }
        }
    }
}
