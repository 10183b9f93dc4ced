import InterceptorKit
import InterceptorKitLoadBalancing
import InterceptorKitTesting
import Synchronization

/// What happens to four endpoints of a service, and what callers notice of it with several ways to choose.
struct EndpointLeague: Sendable {
    /// What happens from 5 to 20 s, of 30.
    struct Scenario: Sendable {
        let name: String
        let endpoints: [ServiceEndpoint]
        let servers: SimulatedServers
    }

    /// A way to choose.
    struct Contender: Sendable {
        let name: String
        let interceptors: @Sendable (Scenario) -> [any Interceptor<HTTP.Request>]
    }

    /// What a scenario comes to with a contender.
    struct Score: Sendable {
        var goodput = 0.0
        var sends = 0.0
        var latency99 = 0.0
    }

    private static let callsPerSecond = 200
    private static let length = 30
    private static let deadline = Duration.seconds(3)

    /// The rows of all scenarios: one line for each.
    static func lines(seed: UInt64) throws -> [String] {
        try Scenario.all.map { scenario in
            let scores = try Contender.all.map { contender in
                let score = try score(of: contender, in: scenario, seed: seed)
                return "\(contender.name) \(score.goodput.hundredths) of calls, "
                    + "\(score.sends.hundredths) sends, p99 \(Int(score.latency99 * 1000)) ms"
            }
            return "league \(scenario.name): ideal 1.00 of calls, 1.00 sends, p99 10 ms; "
                + scores.joined(separator: "; ")
        }
    }

    private static func score(
        of contender: Contender,
        in scenario: Scenario,
        seed: UInt64
    ) throws -> Score {
        try Simulation.run(seed: seed, stepLimit: 50_000_000) { simulation in
            let runtime = simulation.runtime
            let tally = EndpointTally()
            let client = try HTTP.Client.standard(
                contender.name.hasSuffix("alone") ? .withoutRetry : .withAttemptLimit,
                transport: CountingTransport(base: scenario.servers, tally: tally),
                runtime: runtime
            ) { contender.interceptors(scenario) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<(length * callsPerSecond) {
                    group.addTask {
                        let began = runtime.now
                        let response = try? await client.send(.get("/x"), timeout: deadline)
                        let took = began.duration(to: runtime.now)
                        tally.note(response?.status == .ok ? took : nil)
                    }
                    try await runtime.sleep(for: .seconds(1) / callsPerSecond)
                }
                try await group.waitForAll()
            }
            return tally.score
        }
    }
}

extension EndpointLeague.Scenario {
    private static let origins: [HTTP.Origin] = [
        "https://a.example", "https://b.example", "https://c.example", "https://d.example",
    ]

    private static func losing(
        _ name: String,
        _ behavior: SimulatedServers.Behavior
    ) -> EndpointLeague.Scenario {
        EndpointLeague.Scenario(
            name: "one of four \(name)",
            endpoints: origins.map { ServiceEndpoint(HTTP.URL(unvalidated: "\($0)")) },
            servers: SimulatedServers(origins)
                .changing(origins[1], to: behavior, at: .seconds(5))
                .changing(origins[1], to: .answers(after: .milliseconds(10)), at: .seconds(20))
        )
    }

    private static var rollingRestart: EndpointLeague.Scenario {
        var servers = SimulatedServers(origins)
        for (index, origin) in origins.enumerated() {
            let start = Duration.seconds(5 + 4 * index)
            servers = servers.changing(origin, to: .refuses, at: start)
                .changing(origin, to: .answers(after: .milliseconds(10)), at: start + .seconds(2))
        }
        return EndpointLeague.Scenario(
            name: "rolling restart of all",
            endpoints: origins.map { ServiceEndpoint(HTTP.URL(unvalidated: "\($0)")) },
            servers: servers
        )
    }

    private static var zoneLost: EndpointLeague.Scenario {
        var servers = SimulatedServers(origins)
        for origin in origins.prefix(2) {
            servers = servers.changing(origin, to: .refuses, at: .seconds(5))
                .changing(origin, to: .answers(after: .milliseconds(10)), at: .seconds(20))
        }
        return EndpointLeague.Scenario(
            name: "zone lost",
            endpoints: origins.enumerated().map { index, origin in
                ServiceEndpoint(HTTP.URL(unvalidated: "\(origin)"), priority: index / 2)
            },
            servers: servers
        )
    }

    static let all = [
        losing("dead", .refuses),
        losing("slow by ten", .answers(after: .milliseconds(100))),
        losing("answering 503 in 1 ms", .answers(503, after: .milliseconds(1))),
        losing("that never answers", .neverAnswers),
        rollingRestart,
        zoneLost,
    ]
}

extension EndpointLeague.Contender {
    private static func balancing(
        _ name: String,
        _ policy: @escaping @Sendable () -> any LoadBalancingPolicy,
        ejecting: Bool
    ) -> EndpointLeague.Contender {
        EndpointLeague.Contender(name: name) { scenario in
            var settings = LoadBalancingSettings()
            if !ejecting { settings.outlierDetection = nil }
            let endpoints = scenario.endpoints
            return [LoadBalancingInterceptor(balancer(endpoints, policy(), settings))]
        }
    }

    private static func balancer(
        _ endpoints: [ServiceEndpoint],
        _ policy: some LoadBalancingPolicy,
        _ settings: LoadBalancingSettings
    ) -> LoadBalancer {
        LoadBalancer(endpoints, policy: policy, settings: settings)
    }

    static let all = [
        balancing("standard", { LeastLatencyPolicy() }, ejecting: true),
        balancing("round robin with ejection", { RoundRobinPolicy() }, ejecting: true),
        balancing("round robin", { RoundRobinPolicy() }, ejecting: false),
        balancing("least requests", { LeastRequestsPolicy() }, ejecting: false),
        balancing("round robin alone", { RoundRobinPolicy() }, ejecting: false),
        EndpointLeague.Contender(name: "first endpoint") { scenario in
            [BaseURLInterceptor(scenario.endpoints[1].url)]
        },
    ]
}

extension StandardSettings where Input == HTTP.Request {
    fileprivate static var withAttemptLimit: StandardSettings {
        var settings = StandardSettings()
        settings.attemptTimeout = .seconds(1)
        return settings
    }

    fileprivate static var withoutRetry: StandardSettings {
        var settings = withAttemptLimit
        settings.retry = nil
        return settings
    }
}

private final class EndpointTally: Sendable {
    private let state = Mutex((times: [Duration](), calls: 0, sends: 0))

    func note(_ time: Duration?) {
        state.withLock { state in
            state.calls += 1
            if let time { state.times.append(time) }
        }
    }

    func noteSend() { state.withLock { $0.sends += 1 } }

    var score: EndpointLeague.Score {
        state.withLock { state in
            let times = state.times.sorted()
            let calls = Double(max(1, state.calls))
            return EndpointLeague.Score(
                goodput: Double(times.count) / calls,
                sends: Double(state.sends) / calls,
                latency99: times.isEmpty ? 0 : times[times.count * 99 / 100] / .seconds(1)
            )
        }
    }
}

private struct CountingTransport: Transport {
    let base: SimulatedServers
    let tally: EndpointTally

    func send(_ request: HTTP.Request, call: Call) async throws -> HTTP.Response {
        tally.noteSend()
        return try await base.send(request, call: call)
    }
}
