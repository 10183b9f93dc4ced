extension Scenario {
    /// Draws a scenario with classes of calls, alone or beside the scenario of ``random(seed:)`` for the same
    /// seed, half of them with the defaults as limits.
    /// - Parameter seed: Decides all of it.
    static func randomWithClasses(seed: UInt64) -> (scenario: Scenario, clients: Int) {
        var (scenario, clients) = random(seed: seed)
        var draw = Draw(seed: ~seed)
        if draw.happens(0.5) {
            scenario.calls = 0
            clients = draw.choice([1, 1, 1, 2, 10])
        }
        if draw.happens(0.3) {
            scenario.silence = 25..<50
            scenario.length = max(scenario.length, 80)
        }
        let isDefault = draw.happens(0.5)
        let limits: TimeLimits = isDefault ? .standard : .short
        for _ in 0..<draw.choice([1, 2, 2, 3, 4]) {
            scenario.classes += CallClass.random(&draw, limits, length: scenario.length)
        }
        scenario.classes.append(CallClass("fast") { $0.pace = .random(draw.scaled(0.05, 20)) })
        for index in scenario.classes.indices { scenario.classes[index].name += "-\(index)" }
        return (scenario.limited(by: limits), clients)
    }
}

extension CallClass {
    /// Draws the calls of a kind that strategies mistake for an overload.
    fileprivate static func random(
        _ draw: inout Draw,
        _ limits: TimeLimits,
        length: Double
    ) -> [CallClass] {
        let rate = draw.scaled(1.0 / 60, 20)
        switch draw.choice(Array(0...9)) {
        case 0: return tenants(&draw)
        case 1: return [slow(limits.attempt * draw.scaled(0.3, 6), rate, &draw)]
        case 2: return [slow(8, min(rate, 2), &draw)]
        case 3:
            return [
                CallClass("poll") {
                    $0.latency = limits.call * draw.uniform(0.3, 1)
                    $0.pace = .every(draw.uniform(10, 30))
                }
            ]
        case 4: return [download(&draw)]
        case 5: return [failing(&draw, rate)]
        case 6: return [isolated(&draw, length)]
        case 7: return [burst(&draw)]
        case 8:
            return [
                CallClass("regions") {
                    $0.pace = .random(rate)
                    $0.otherLatency = $0.latency * draw.scaled(3, 30)
                    $0.otherShare = draw.uniform(0.05, 0.6)
                }
            ]
        default:
            // Its 99th percentile is near the limit of an attempt.
            return [
                CallClass("tail") {
                    $0.pace = .random(rate)
                    $0.spread = draw.uniform(0.2, 0.5)
                    $0.latency = limits.attempt * exponentialDecay($0.spread) * draw.uniform(0.5, 2)
                }
            ]
        }
    }

    private static func exponentialDecay(_ spread: Double) -> Double {
        // The median of a distribution whose 99th percentile is one.
        CallClass("unit") {
            $0.latency = 1; $0.spread = spread
        }.latency(0.01, 1)
    }

    private static func tenants(_ draw: inout Draw) -> [CallClass] {
        let rate = draw.scaled(0.1, 5)
        let wait: Int? = draw.happens(0.5) ? draw.choice([1, 5, 30, 60, 3600]) : nil
        let others = (1..<draw.choice(Array(2...10))).map { number in
            CallClass("tenant-\(number)") { $0.pace = .random(rate * draw.scaled(0.2, 2)) }
        }
        return others + [
            CallClass("throttled") {
                $0.pace = .random(rate)
                $0.troubles = [
                    Trouble(failure: .status(429, retryAfter: wait), share: draw.uniform(0.3, 1))
                ]
            }
        ]
    }

    private static func slow(_ latency: Double, _ rate: Double, _ draw: inout Draw) -> CallClass {
        CallClass("slow") {
            $0.latency = latency
            $0.spread = draw.uniform(0, 0.4)
            $0.pace = .random(rate)
        }
    }

    private static func download(_ draw: inout Draw) -> CallClass {
        CallClass("download") {
            $0.pace = .every(draw.uniform(10, 30))
            $0.download = Download(
                chunks: draw.choice([5, 20, 60]),
                bytesPerChunk: draw.choice([1024, 16_384, 65_536]),
                gap: draw.scaled(0.1, 4)
            )
        }
    }

    private static func failing(_ draw: inout Draw, _ rate: Double) -> CallClass {
        let failures: [Failure] = [
            .status(503), .status(500), .status(502), .status(503, retryAfter: 5), .reset, .silence,
        ]
        return CallClass("failing") {
            $0.pace = .random(min(rate, 5))
            $0.troubles = [Trouble(failure: draw.choice(failures))]
        }
    }

    private static func isolated(_ draw: inout Draw, _ length: Double) -> CallClass {
        CallClass("rare") {
            $0.pace = .every(length / Double(draw.choice([4, 8, 16])))
            $0.troubles = [
                Trouble(
                    failure: draw.choice([
                        .status(503), .status(429), .status(429, retryAfter: 2), .silence, .reset,
                    ]),
                    oneCallIn: draw.choice([2, 3, 4]),
                    attempts: draw.choice([1, 2]),
                    offset: draw.choice([0, 1])
                )
            ]
        }
    }

    private static func burst(_ draw: inout Draw) -> CallClass {
        CallClass("timer") {
            $0.pace = .every(draw.uniform(5, 30), count: draw.choice([5, 20, 50]))
            $0.troubles = [Trouble(failure: .silence, share: draw.uniform(0, 0.1))]
        }
    }
}
