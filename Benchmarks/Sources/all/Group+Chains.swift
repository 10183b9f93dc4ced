import EventRows
import HopRows
import ResilienceRows
import RetryRows

extension Group {
    static let events = Group(
        "events",
        [
            Row("watched call to an unwatched one", .ratio, .atMost(3)) {
                try $0.ratio("a sink that counts", to: "no sink")
            },
            Row("observed call to an unwatched one", .ratio, .atMost(3)) {
                try $0.ratio("an observer", to: "no sink")
            },
        ]
    ) { plan in try await plan.costs(of: Events.all()) }

    static let chains = Group(
        "chains",
        cost(
            "time limits of the standard chain",
            of: "standard",
            above: "standard without time limits",
            microseconds: 1.5,
            allocations: 8
        )
            + cost(
                "standard chain with signing",
                of: "standard, signing",
                microseconds: 7,
                allocations: 28
            )
            + cost("standard chain", of: "standard", microseconds: 2.5, allocations: 12)
            + cost(
                "client with limits, token and signing",
                of: "client: standard, rate limit, token, signing",
                microseconds: 11,
                allocations: 40
            )
            + cost("HMAC signing alone", of: "signing alone", microseconds: 4, allocations: 12)
    ) { plan in try await plan.costs(of: Resilience.chains()) }

    /// Two figures of what one workload costs above another.
    private static func cost(
        _ name: String,
        of workload: String,
        above other: String = "nothing",
        microseconds: Double,
        allocations: Double
    ) -> [Row<Costs>] {
        [
            Row(name, .microseconds, .atMost(microseconds)) {
                try $0.microseconds(workload, above: other)
            },
            Row("\(name), allocations", .allocations, .atMost(allocations)) {
                try $0.allocations(workload, above: other)
            },
        ]
    }

    static let interceptors = Group(
        "interceptors",
        [
            "breaker", "concurrency limit", "concurrency limit, each authority", "rate limit",
            "adaptive concurrency limit",
        ].map { name in
            Row(name, .nanoseconds, .atMost(120)) { try $0.nanoseconds(name, above: "nothing") }
        }
    ) { plan in try await plan.costs(of: Resilience.requests()) }

    static let retry = Group(
        "retry",
        [
            Row("retry with its budget", .nanoseconds, .atMost(120)) {
                try $0.nanoseconds("retry", above: "no interceptor")
            }
        ]
    ) { plan in try await plan.costs(of: Retries.all()) }

    static let hop = Group(
        "the hop",
        [
            Row("allocations per hop", .allocations, .atMost(0)) { report in
                guard let allocations = report.allocationsPerHop else {
                    throw NotMeasured.allocations
                }
                return allocations
            },
            Row("hop to a hand-written one", .ratio, .atMost(1.3)) { $0.ratioToHandWritten },
            Row("hop to the cheapest peer's", .ratio, .atMost(0.3)) { $0.ratioToCheapestPeer },
        ]
    ) { plan in
        try await Report.measure(
            Contenders.judged,
            depths: Report.slope,
            rounds: plan.costRounds
        )
    }

    static let client = Group(
        "the client",
        [
            Row("client above its pipeline", .nanoseconds, .atMost(150)) { $0.added }
        ]
    ) { plan in try await ClientFigures.measure(rounds: plan.costRounds) }
}
