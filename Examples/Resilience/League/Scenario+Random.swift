import InterceptorKitTesting

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension Scenario {
    /// Draws a scenario: usually one thing that goes wrong, often several at once.
    /// - Parameter seed: Decides all of it.
    static func random(seed: UInt64) -> (scenario: Scenario, clients: Int) {
        var draw = Draw(seed: seed)
        let scenario = Scenario("random \(seed)", "drawn") { scenario in
            scenario.capacity = draw.scaled(60, 300)
            scenario.impairedCapacity = scenario.capacity
            scenario.queue = Int(draw.scaled(5, 500))
            scenario.latency = draw.scaled(0.005, 0.15)
            scenario.jitter = scenario.latency * draw.uniform(0.2, 2)
            scenario.impairedLatency = scenario.latency
            scenario.cause = 20..<(20 + draw.uniform(5, 30))
            scenario.length = scenario.cause.upperBound + 20
            if draw.happens(0.5) { scenario.impairedCapacity = draw.scaled(5, 60) }
            if draw.happens(0.1) { scenario.isDown = true }
            if draw.happens(0.3) { scenario.impairedFailShare = draw.uniform(0.02, 0.5) }
            if draw.happens(0.3) { scenario.failShare = draw.uniform(0, 0.03) }
            if draw.happens(0.25) { scenario.impairedLatency *= draw.scaled(1.5, 8) }
            if draw.happens(0.3) { scenario.slowShare = draw.uniform(0, 0.08) }
            if draw.happens(0.2) { scenario.hangShare = draw.uniform(0.002, 0.05) }
            if draw.happens(0.15) {
                scenario.pause = Pause(period: draw.uniform(5, 12), length: draw.uniform(0.2, 2))
            }
            if draw.happens(0.15) { scenario.rateLimit = draw.uniform(8, 60) }
            if draw.happens(0.15) { scenario.brokenShare = draw.uniform(0.1, 0.6) }
            if draw.happens(0.2) {
                scenario.burst = Burst(
                    factor: draw.scaled(2, 12),
                    period: draw.uniform(6, 15),
                    length: draw.uniform(0.5, 4)
                )
            }
            if draw.happens(0.15) { scenario.rampUp = draw.uniform(5, 30) }
        }
        return (scenario, draw.choice([1, 1, 10, 10, 50, 200]))
    }
}

/// What a seed decides, number by number.
struct Draw {
    private var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    mutating func fraction() -> Double { Double(generator.next() >> 11) * 0x1p-53 }

    mutating func uniform(_ least: Double, _ most: Double) -> Double {
        least + (most - least) * fraction()
    }

    /// Equally likely in each order of magnitude.
    mutating func scaled(_ least: Double, _ most: Double) -> Double {
        exp2(log2(least) + log2(most / least) * fraction())
    }

    mutating func happens(_ share: Double) -> Bool { fraction() < share }

    mutating func choice<Value>(_ values: [Value]) -> Value {
        values[Int(fraction() * Double(values.count))]
    }
}
