import Expectations
import InterceptorKit
import InterceptorKitLoadBalancing
import InterceptorKitTesting
import TestRun
import Testing

@Suite("LoadBalancer")
struct LoadBalancerTests {
    private static let a: ServiceEndpoint = "https://a.example"
    private static let b: ServiceEndpoint = "https://b.example"
    private static let c: ServiceEndpoint = "https://c.example"

    private static func pipeline(
        _ balancer: LoadBalancer,
        _ transport: some Transport<HTTP.Request>,
        _ runtime: Runtime,
        events: (any EventSink)? = nil
    ) throws -> Pipeline<HTTP.Request> {
        try Pipeline(transport: transport, runtime: runtime, events: events) {
            LoadBalancingInterceptor(balancer)
        }
    }

    // The table of tower's issue 76: 50,000 requests, 50 at once, ten endpoints whose latencies are even up
    // to 1, 10 (four), 100 (four) and 1,000 ms.
    @Test("has tower's latencies in tower's scenario")
    func towersScenario() throws {
        let longest = [1, 10, 10, 10, 10, 100, 100, 100, 100, 1000]
        let origins = longest.indices.map { HTTP.Origin("http://e\($0).example") }
        var servers = SimulatedServers(origins)
        for (origin, longest) in zip(origins, longest) {
            servers = servers.changing(origin, to: .answersWithin(.milliseconds(longest)))
        }
        let fixed = servers

        let result = try Simulation.run(seed: 1) { simulation in
            let log = LoadLog()
            let balancer = LoadBalancer(
                origins.map { ServiceEndpoint(HTTP.URL(unvalidated: "\($0)")) }
            )
            let pipeline = try Self.pipeline(balancer, fixed, simulation.runtime)
            await log.load(simulation.runtime, callers: 50, calls: 1_000) {
                try await pipeline.run($0)
            }
            return log.result
        }

        expectEqual(result.failures, [])
        expectTrue(result.percentile(0.99) <= .milliseconds(97))
        expectTrue(result.percentile(0.999) <= .milliseconds(105))
    }

    // undici issue 4839: after both hosts were down, it sticks to one for ever.
    @Test("uses both of two endpoints again after both were down")
    func bothDown() throws {
        let result = try Simulation.run(seed: 2) { simulation in
            let log = LoadLog()
            let servers = SimulatedServers(["https://a.example", "https://b.example"], .refuses)
                .changing(
                    "https://a.example",
                    to: .answers(after: .milliseconds(5)),
                    at: .seconds(5)
                )
                .changing(
                    "https://b.example",
                    to: .answers(after: .milliseconds(5)),
                    at: .seconds(8)
                )
            let pipeline = try Self.pipeline(
                LoadBalancer([Self.a, Self.b]),
                NotingTransport(base: servers, log: log),
                simulation.runtime
            )
            let runtime = simulation.runtime
            try await log.load(runtime, every: .milliseconds(20), until: .seconds(60)) {
                try await pipeline.run($0)
            }
            return log.result
        }

        expectTrue(result.share(of: "a.example", from: .seconds(40)) > 0.3)
        expectTrue(result.share(of: "b.example", from: .seconds(40)) > 0.3)
    }

    // tower issue 134: a new endpoint starves until the others are slower than its default latency.
    @Test("gives an endpoint that joins fast ones its share")
    func newEndpoint() throws {
        let result = try Simulation.run(seed: 3) { simulation in
            let runtime = simulation.runtime
            let log = LoadLog()
            let servers = SimulatedServers(
                ["https://a.example", "https://b.example", "https://c.example"],
                .answers(after: .milliseconds(1))
            )
            let balancer = LoadBalancer(
                [Self.a, Self.b],
                origins: ["https://a.example", "https://b.example", "https://c.example"]
            )
            let pipeline = try Self.pipeline(
                balancer,
                NotingTransport(base: servers, log: log),
                runtime
            )
            async let load: Void = log.load(runtime, every: .milliseconds(1), until: .seconds(30)) {
                try await pipeline.run($0)
            }
            try await runtime.sleep(for: .seconds(5))
            balancer.update([Self.a, Self.b, Self.c], at: runtime.now)
            try await load
            return log.result
        }

        let early = result.sends.filter { $0.at > .seconds(5) && $0.at < .seconds(6) }
        let share = Double(early.count { $0.host == "c.example" }) / Double(early.count)
        expectTrue(share > 0 && share < 0.2)
        expectTrue(result.share(of: "c.example", from: .seconds(16)) > 0.2)
    }

    @Test("sends nothing to an endpoint for as long as its Retry-After says")
    func retryAfter() throws {
        let result = try Simulation.run { simulation in
            let log = LoadLog()
            let servers = SimulatedServers(["https://a.example", "https://b.example"])
                .changing(
                    "https://b.example",
                    to: .answers(
                        429,
                        headers: ["Retry-After": "10"],
                        after: .milliseconds(1)
                    )
                )
            let pipeline = try Self.pipeline(
                LoadBalancer([Self.a, Self.b]),
                NotingTransport(base: servers, log: log),
                simulation.runtime
            )
            let runtime = simulation.runtime
            try await log.load(runtime, every: .milliseconds(10), until: .seconds(9)) {
                try await pipeline.run($0)
            }
            return log.result
        }

        expectTrue(result.sends(to: "b.example") <= 2)
    }

    @Test("sends to the next group what the first cannot take, and comes back")
    func groups() throws {
        let result = try Simulation.run(seed: 4) { simulation in
            let log = LoadLog()
            var far = Self.c
            far.priority = 1
            let servers = SimulatedServers(
                ["https://a.example", "https://b.example", "https://c.example"]
            )
            .changing("https://a.example", to: .refuses, at: .seconds(5))
            .changing("https://b.example", to: .refuses, at: .seconds(10))
            .changing("https://a.example", to: .answers(after: .milliseconds(1)), at: .seconds(15))
            .changing("https://b.example", to: .answers(after: .milliseconds(1)), at: .seconds(15))
            let pipeline = try Self.pipeline(
                LoadBalancer([Self.a, Self.b, far]),
                NotingTransport(base: servers, log: log),
                simulation.runtime
            )
            let runtime = simulation.runtime
            try await log.load(runtime, every: .milliseconds(5), until: .seconds(60)) {
                try await pipeline.run($0)
            }
            return log.result
        }

        let share = { (range: Range<Int>) in
            let sends = result.sends.filter {
                $0.at >= .seconds(range.lowerBound) && $0.at < .seconds(range.upperBound)
            }
            return Double(sends.count { $0.host == "c.example" }) / Double(sends.count)
        }
        expectEqual(share(0..<5), 0)
        expectTrue(share(6..<10) > 0.2 && share(6..<10) < 0.4)
        expectTrue(share(11..<15) > 0.9)
        expectTrue(share(40..<60) < 0.01)
    }

    @Test("uses all endpoints when too few are available")
    func panic() throws {
        let shares = try Simulation.run(seed: 5) { simulation in
            let log = LoadLog()
            let servers = SimulatedServers([
                "https://a.example", "https://b.example", "https://c.example",
            ])
            .changing("https://b.example", to: .answers(503, after: .milliseconds(1)))
            .changing("https://c.example", to: .answers(503, after: .milliseconds(1)))
            let pipeline = try Self.pipeline(
                LoadBalancer([Self.a, Self.b, Self.c], policy: RoundRobinPolicy()),
                NotingTransport(base: servers, log: log),
                simulation.runtime
            )
            let runtime = simulation.runtime
            try await log.load(runtime, every: .milliseconds(5), until: .seconds(10)) {
                try await pipeline.run($0)
            }
            return ["a", "b", "c"].map { log.result.share(of: "\($0).example", from: .seconds(2)) }
        }

        expectTrue(shares.allSatisfy { $0 > 0.25 })
    }

    @Test("never uses an endpoint outside of its origins, nor an empty set")
    func refusals() throws {
        let balancer = LoadBalancer([Self.a, Self.b])
        let now = Runtime.Instant(offset: .zero)

        let foreign = balancer.update([Self.a, Self.c], at: now)
        let emptied = balancer.update([], at: now)

        expectEqual(foreign, [Self.c])
        expectEqual(emptied, [])
        expectEqual(balancer.endpoints, [Self.a])
    }

    @Test("drops no call and keeps what it knows when the set changes")
    func changesUnderLoad() throws {
        let (result, latency) = try Simulation.run(seed: 6) { simulation in
            let runtime = simulation.runtime
            let log = LoadLog()
            let servers = SimulatedServers(
                ["https://a.example", "https://b.example"],
                .answers(after: .milliseconds(50))
            )
            let balancer = LoadBalancer([Self.a, Self.b])
            let pipeline = try Self.pipeline(
                balancer,
                NotingTransport(base: servers, log: log),
                runtime
            )
            async let load: Void = log.load(runtime, every: .milliseconds(1), until: .seconds(2)) {
                try await pipeline.run($0)
            }
            for turn in 0..<100 {
                try await runtime.sleep(for: .milliseconds(20))
                balancer.update(
                    turn.isMultiple(of: 2) ? [Self.a] : [Self.b, Self.a],
                    at: runtime.now
                )
            }
            let status = balancer.status(at: runtime.now).first { $0.endpoint == Self.a }
            try await load
            return (log.result, status?.latency)
        }

        expectEqual(result.failures, [])
        expectTrue(latency != nil)
    }

    @Test("keeps the last set while its source fails, and asks it again")
    func sourceFails() throws {
        let (sets, names) = try Simulation.run { simulation in
            let runtime = simulation.runtime
            let sink = RecordingEventSink()
            let balancer = LoadBalancer(
                [Self.a],
                origins: ["https://a.example", "https://b.example"]
            )
            let source = FailingSource(runtime: runtime)
            let following = runtime.start("following") {
                try? await balancer.follow(source, runtime: runtime, events: sink)
            }
            var sets: [[ServiceEndpoint]] = []
            for time in [5, 3.25, 7] {
                try await runtime.sleep(for: .seconds(time))
                sets.append(balancer.endpoints)
            }
            following.cancel()
            await following.value
            return (sets, sink.events.map(\.name))
        }

        expectEqual(sets, [[Self.a, Self.b], [Self.a, Self.b], [Self.b]])
        expectEqual(
            names,
            [
                .endpointsChanged, .endpointSourceFailed, .endpointRefused, .endpointsChanged,
            ]
        )
    }

    @Test("leaves out an endpoint that fails its health checks, until it passes")
    func healthChecks() throws {
        let states = try Simulation.run { simulation in
            let runtime = simulation.runtime
            let servers = SimulatedServers(["https://a.example", "https://b.example"])
                .changing("https://b.example", to: .refuses, at: .seconds(3))
                .changing(
                    "https://b.example",
                    to: .answers(after: .milliseconds(1)),
                    at: .seconds(13)
                )
            let balancer = LoadBalancer([Self.a, Self.b])
            let checking = runtime.start("health checks") {
                try? await balancer.checkHealth(
                    by: HealthCheck("/health"),
                    over: servers,
                    runtime: runtime
                )
            }
            var states: [[Bool]] = []
            for _ in 0..<4 {
                try await runtime.sleep(for: .seconds(5))
                states.append(balancer.status(at: runtime.now).map(\.isAvailable))
            }
            checking.cancel()
            await checking.value
            return states
        }

        expectEqual(states, [[true, true], [true, false], [true, false], [true, true]])
    }
}

/// Gives a set, fails once, then gives another one, of which one endpoint is foreign.
private struct FailingSource: AsyncSequence, Sendable {
    typealias Element = [ServiceEndpoint]

    struct Broken: Error {}

    struct AsyncIterator: AsyncIteratorProtocol {
        let runtime: Runtime
        var turn = 0

        mutating func next() async throws -> [ServiceEndpoint]? {
            turn += 1
            let isFirstTime = runtime.now.offset < .seconds(8)
            if turn == 1 {
                return isFirstTime
                    ? ["https://a.example", "https://b.example"]
                    : ["https://b.example", "https://foreign.example"]
            }
            try await runtime.sleep(for: .seconds(8))
            if isFirstTime { throw Broken() }
            try await runtime.sleep(for: .seconds(3_600))
            return nil
        }
    }

    let runtime: Runtime

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(runtime: runtime) }
}
