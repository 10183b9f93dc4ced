import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitTesting
import Synchronization
import TestRun
import TestSupport

/// A service whose tokens can be refreshed, a client for it, and what must hold whatever comes between.
///
/// Access tokens are `a0`, `a1`, …; each is refreshed by the refresh token of its number, once. The
/// watch over the rules is always on; see ``verify()``.
struct TokenWorld: Sendable {
    let simulation: Simulation
    let service: RotatingService
    let tokens: TokenInterceptor
    private let pipeline: Pipeline<HTTP.Request>

    init(
        _ simulation: Simulation,
        lifetime: Double? = nil,
        policy: RefreshPolicy = .standard
    ) throws {
        self.simulation = simulation
        let service = RotatingService(simulation.runtime, lifetime: lifetime)
        let tokens = TokenInterceptor(source: service, origins: [origin], policy: policy)
        self.service = service
        self.tokens = tokens
        pipeline = try Pipeline(
            transport: service,
            runtime: simulation.runtime,
            events: service
        ) { tokens }
    }

    /// Sends a request, and notes that it ended.
    func call() async throws -> HTTP.Status {
        service.state.withLock { $0.started += 1 }
        defer { service.state.withLock { $0.ended += 1 } }
        return try await pipeline.run(.get(orders)).status
    }

    /// Sends some requests at once, and gathers how they ended.
    func calls(_ count: Int) async -> [Result<HTTP.Status, any Error>] {
        await withTaskGroup(of: Result<HTTP.Status, any Error>.self) { group in
            for _ in 0..<count {
                group.addTask {
                    do {
                        return .success(try await call())
                    } catch {
                        return .failure(error)
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    func start() -> Task<HTTP.Status, any Error> {
        Task.child(in: simulation) { try await call() }
    }

    func refresh() async throws {
        try await tokens.refresh(runtime: simulation.runtime, events: service)
    }

    func signIn() async throws { try await tokens.signIn(with: service.beginSession()) }

    func signOut() async throws {
        service.endSession()
        try await tokens.signOut()
    }

    /// Throws if a rule was broken: at most one refresh of a session in flight, nothing sent that is
    /// known to be superseded, each caller ends once, no refresh token used twice, nothing left.
    func verify() throws {
        let state = service.state.withLock { $0 }
        var problems = state.violations
        if state.started != state.ended {
            problems.append("\(state.started) calls began and \(state.ended) ended")
        }
        if state.inFlight.values.contains(where: { $0 != 0 }) {
            problems.append("a refresh is left")
        }
        guard problems.isEmpty else { throw Problem(text: problems.joined(separator: "; ")) }
    }
}

// Read once and not for each of many runs.
private let origin: HTTP.Origin = "https://api.example.com"

/// Runs a race under five times as many seeds as other tests, and verifies the rules after each.
func onEveryRace(
    _ seeds: Range<UInt64> = 0..<5 * seedCount,
    lifetime: Double? = nil,
    policy: RefreshPolicy = .standard,
    _ body: @escaping @Sendable (TokenWorld) async throws -> Void
) async throws {
    try await onEverySeed(seeds) { simulation in
        let world = try TokenWorld(simulation, lifetime: lifetime, policy: policy)
        try await body(world)
        // What nobody waits for any more comes to its end.
        try await simulation.runtime.sleep(for: .seconds(1))
        try world.verify()
    }
}
