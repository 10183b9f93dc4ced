import InterceptorKit
import InterceptorKitTesting

/// What a test of an interceptor can do, as a program: a script in place of a server, minutes that pass at
/// once, a request held in flight, and a mistake found by trying schedules.
///
/// In a test target the same lines stand in a `@Test`, with `#expect` where this prints.
@main
struct TestInterceptor {
    static func main() throws {
        try script()
        try flight()
        try race()
    }

    /// Seven calls, three a minute: they take two minutes, and no time at all.
    private static func script() throws {
        print("1. A script, and virtual time.")
        let transport = ScriptedTransport<HTTP.Request> { _, _ in HTTP.Response(200) }
        try Simulation.run { simulation in
            let client = try client(over: transport, simulation)
            for _ in 1...7 { _ = try await client.send(.get("https://api.example.com/orders")) }
        }
        let first = transport.sent.first?.instant ?? Runtime.Instant(offset: .zero)
        let waits = transport.sent.map { first.duration(to: $0.instant).components.seconds }
        print("   sent after \(waits) seconds")
    }

    /// A gate holds a request until the test has seen what it wants to see.
    private static func flight() throws {
        print("2. A request in flight.")
        let gate = Gate("orders")
        let transport = ScriptedTransport<HTTP.Request>(replies: [.status(200).held(at: gate)])
        let line = try Simulation.run { simulation in
            let client = try client(over: transport, simulation)
            async let response = client.send(.get("https://api.example.com/orders"))
            try await gate.waitForArrivals(1)
            let open = client.openCalls
            gate.open()
            return try await "\(open) call was open, then came \(response.status)"
        }
        print("   \(line)")
    }

    /// A counter that reads, waits and writes loses counts, under some schedules.
    private static func race() throws {
        print("3. A race, found by its seed.")
        do {
            try simulate(seeds: 0..<100) { simulation in
                let counter = CarelessCounter()
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<2 { group.addTask { try await counter.count(simulation.runtime) } }
                    try await group.waitForAll()
                }
                guard await counter.value == 2 else { throw LostCount() }
            }
        } catch let error as SimulationError {
            print("   \(error.message.prefix { $0 != "\n" })")
        }
    }

    private static func client(
        over transport: some Transport<HTTP.Request>,
        _ simulation: Simulation
    ) throws -> HTTP.Client {
        try HTTP.Client(transport: transport, timeout: nil, runtime: simulation.runtime) {
            QuotaInterceptor(3)
        }
    }
}

/// Forgets that others run while it waits.
actor CarelessCounter {
    private(set) var value = 0

    func count(_ runtime: Runtime) async throws {
        let before = value
        try await runtime.sleep(for: .milliseconds(Int(runtime.random() % 3)))
        value = before + 1
    }
}

struct LostCount: Error {}
