// What the documentation comments of the test kit show.
import InterceptorKit
import InterceptorKitTesting

func shuffled(_ names: [String]) -> [String] {
    // snippet.generator
    var generator = SeededGenerator(seed: 7)
    let order = names.shuffled(using: &generator)
    // snippet.end
    return order
}

func remind() async throws {
    // snippet.clock
    let clock = VirtualClock()
    async let reminder: Void = clock.sleep(until: clock.now.advanced(by: .seconds(3_600)))
    try await clock.waitForSleepers(1)
    clock.advance(by: .seconds(3_600))  // no real time passes
    try await reminder
    // snippet.end
}

func checked(_ server: LoopbackServer, _ gate: Gate, _ clock: VirtualClock) throws {
    // snippet.leaks
    try requireNoLeaks(in: server, gate, clock)
    // snippet.end
}

func serve(_ client: HTTP.Client) async throws -> HTTP.Response {
    // snippet.server
    let server = try LoopbackServer { request in
        request.path == "/slow" ? .text("late").delayed(by: .milliseconds(50)) : .stalled
    }
    defer { server.stop() }
    // snippet.end
    return try await client.send(.get(server.url("/slow")))
}

func simulated() throws -> Duration {
    // snippet.simulation
    let elapsed = try Simulation.run(seed: 7) { simulation in
        let runtime = simulation.runtime
        async let first: Void = runtime.sleep(for: .seconds(1))
        async let second: Void = runtime.sleep(for: .seconds(2))
        _ = try await (first, second)
        return runtime.now.offset  // 2 seconds, at once
    }
    // snippet.end
    return elapsed
}

func faulty() -> FaultInjectionInterceptor<HTTP.Request> {
    // snippet.faults
    let faults: [ChaosFault<HTTP.Request>] = [
        .latency(rate: 0.2, .milliseconds(50)...(.seconds(2))),
        .refused(rate: 0.02),
        .status(503, rate: 0.05),
    ]
    let injection = FaultInjectionInterceptor(faults)
    // snippet.end
    return injection
}

func stormy(_ service: some Transport<HTTP.Request>) throws {
    // snippet.chaos
    try simulate(seeds: 0..<1_000) { simulation in
        let client = try HTTP.Client(transport: service, runtime: simulation.runtime) {
            RetryInterceptor(policy: .standard)
            FaultInjectionInterceptor([.reset(rate: 0.1), .refused(rate: 0.1)])
        }
        _ = try await client.send(.get("https://api.example.com/orders"))
    }
    // snippet.end
}

func held() async throws {
    // snippet.gate
    let gate = Gate("orders")
    let transport = ScriptedTransport<HTTP.Request>(replies: [.status(200).held(at: gate)])
    let client = try HTTP.Client(transport: transport) {
        RetryInterceptor(policy: .standard)
    }
    async let response = client.send(.get("https://api.example.com/orders"))
    try await gate.waitForArrivals(1)  // the request is in flight now
    gate.open()
    print(try await response.status)  // 200 OK
    // snippet.end
}

struct Job: Interceptable {
    var name: String
}

func named() -> ScriptCondition<Job> {
    // snippet.condition
    let named = ScriptCondition<Job> { job, _ in
        job.name == "nightly" ? nil : .init("the name is \(job.name), not nightly")
    }
    // snippet.end
    return named
}

func steps(_ gate: Gate) -> [ScriptStep<HTTP.Request>] {
    // snippet.steps
    let steps: [ScriptStep<HTTP.Request>] = [
        .status(503, headers: ["Retry-After": "2"]),
        .fail(TransportError(.connectionLost, "The connection was reset.")),
        .json(#"{"id": 7}"#).delayed(by: .seconds(1)).held(at: gate),
    ]
    // snippet.end
    return steps
}
